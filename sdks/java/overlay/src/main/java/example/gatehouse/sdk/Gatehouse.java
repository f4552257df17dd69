package example.gatehouse.sdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import example.gatehouse.sdk.api.GatewayApi;
import example.gatehouse.sdk.api.SignOnApi;
import example.gatehouse.sdk.model.InstanceIntegration;
import example.gatehouse.sdk.model.OrganizationStructure;
import example.gatehouse.sdk.model.PlatformClient;
import example.gatehouse.sdk.model.PlatformUser;
import example.gatehouse.sdk.model.WorkerV2;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Gatehouse as a program sees it. Every method throws a {@link GatehouseException}, and nothing else, when it does not
 * succeed. One object serves a whole program, from all of its threads.
 */
public final class Gatehouse {
  /** It takes no more than one JSON document, whose end may otherwise be the beginning of something else. */
  static final ObjectMapper JSON =
      ApiClient.createDefaultObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  static final Pattern GATEWAY_PATH = Pattern.compile("/v[0-9]+/");
  /** Leads elsewhere as soon as somebody on the way decodes it. */
  private static final Pattern DOT = Pattern.compile("%2e", Pattern.CASE_INSENSITIVE);

  private static final Pattern KEY = Pattern.compile("[!-~]+");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]+");
  private static final int PAGE_SIZE = 200;
  private static final Duration TIME_MAX = Duration.ofDays(365);

  private final String base;
  private final Exchange exchange;
  private final GatewayApi gateway;
  private final SignOnApi signOn;

  /**
   * Gatehouse at an address, with a key for its gateway. It sends nothing.
   *
   * @param baseUrl {@code https://…}
   */
  public Gatehouse(String baseUrl, String apiKey) {
    this(builder(baseUrl, apiKey));
  }

  private Gatehouse(Builder options) {
    URI address = addressOf(options.baseUrl);
    if (options.apiKey == null || !KEY.matcher(options.apiKey).matches())
      throw GatehouseException.invalidArgument("apiKey is empty, or has characters that no key has.");
    if (!isTime(options.deadline) || options.deadline.isZero())
      throw GatehouseException.invalidArgument("The deadline must be more than nothing, and a year at most.");
    if (!isTime(options.longestWait))
      throw GatehouseException.invalidArgument("The longest wait must not be negative, and a year at most.");
    if (options.retries < 0 || options.answersMax < 0 || options.bytesMax < 0)
      throw GatehouseException.invalidArgument("Retries, answers and bytes must not be negative.");
    if (options.answerBytesMax < 1)
      throw GatehouseException.invalidArgument("The most bytes of an answer must be at least 1.");
    HttpClient http = options.http != null ? options.http : defaultClient(address);
    if (http.followRedirects() != HttpClient.Redirect.NEVER)
      throw GatehouseException.invalidArgument("The HTTP client follows redirects; the API key would go with them.");
    base = address.toString();
    exchange =
        new Exchange(
            http,
            address,
            options.apiKey,
            options.deadline,
            options.retries,
            options.longestWait,
            options.answerBytesMax,
            options.hasEntityTags ? new RememberedAnswers(options.answersMax, options.bytesMax) : null);
    ApiClient client = new ApiClient() {
      @Override
      public HttpClient getHttpClient() {
        return exchange;
      }
    };
    client.updateBaseUri(base);
    client.setObjectMapper(JSON);
    client.setRequestInterceptor(request -> request.setHeader("User-Agent", "gatehouse-sdk-java/0.0.0"));
    gateway = new GatewayApi(client);
    signOn = new SignOnApi(client);
  }

  private static boolean isTime(Duration given) {
    return given != null && !given.isNegative() && given.compareTo(TIME_MAX) <= 0;
  }

  private static URI addressOf(String baseUrl) {
    try {
      URI address = new URI(baseUrl == null ? "" : baseUrl.replaceAll("/+$", ""));
      String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
      boolean isWeb = scheme.equals("http") || scheme.equals("https");
      if (isWeb && address.getHost() != null && !isMore(address)) return address;
    } catch (URISyntaxException notAnAddress) {
      // Refused below, like one of another scheme.
    }
    throw GatehouseException.invalidArgument(
        "baseUrl does not begin with http:// or https://, or has a query or a fragment: " + baseUrl);
  }

  /** True for an address that has more than a path, behind which paths cannot be put. */
  private static boolean isMore(URI address) {
    return address.getRawQuery() != null || address.getRawFragment() != null;
  }

  /** Without TLS there is nothing to negotiate HTTP/2 with, and not every proxy accepts the attempt. */
  private static HttpClient defaultClient(URI address) {
    boolean isPlain = address.getScheme().equalsIgnoreCase("http");
    return HttpClient.newBuilder().version(isPlain ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2).build();
  }

  /** For other options than those of the constructor. */
  public static Builder builder(String baseUrl, String apiKey) {
    return new Builder(baseUrl, apiKey);
  }

  /** The options of a {@link Gatehouse}. */
  public static final class Builder {
    private final String baseUrl;
    private final String apiKey;
    private Duration deadline = Duration.ofSeconds(40);
    private int retries = 2;
    private Duration longestWait = Duration.ofSeconds(60);
    private int answerBytesMax = 64 << 20;
    private boolean hasEntityTags = true;
    private int answersMax = 100;
    private long bytesMax = 16 << 20;
    private HttpClient http;

    private Builder(String baseUrl, String apiKey) {
      this.baseUrl = baseUrl;
      this.apiKey = apiKey;
    }

    /** The time for one attempt, until the last byte of its answer; 40 seconds unless given. */
    public Builder deadline(Duration deadline) {
      this.deadline = deadline;
      return this;
    }

    /** Further attempts of a read after 429, 503 or no answer; 2 unless given, 0 turns them off. */
    public Builder retries(int retries) {
      this.retries = retries;
      return this;
    }

    /** The longest Retry-After that is waited for; 60 seconds unless given. A longer one is thrown at once. */
    public Builder longestWait(Duration longestWait) {
      this.longestWait = longestWait;
      return this;
    }

    /**
     * The most bytes of one answer's body; 64 MiB unless given. A larger one is thrown with the code
     * {@code unexpected_answer}.
     */
    public Builder answerBytesMax(int answerBytesMax) {
      this.answerBytesMax = answerBytesMax;
      return this;
    }

    /** The most answers, and bytes of their bodies, that are remembered; 100 and 16 MiB unless given. */
    public Builder entityTags(int answersMax, long bytesMax) {
      this.hasEntityTags = true;
      this.answersMax = answersMax;
      this.bytesMax = bytesMax;
      return this;
    }

    /** Remembers no answers. */
    public Builder withoutEntityTags() {
      this.hasEntityTags = false;
      return this;
    }

    /** In place of the default one: for a proxy, or for certificates of your own. It must not follow redirects. */
    public Builder httpClient(HttpClient http) {
      this.http = http;
      return this;
    }

    /**
     * Gatehouse with these options. It sends nothing.
     *
     * @throws GatehouseException with the code {@code invalid_argument}, for an option that cannot be: one that is
     *     negative, no time at all, or longer than a year
     */
    public Gatehouse build() {
      return new Gatehouse(this);
    }
  }

  /** The generated operations of the gateway: with pages, and with version 1 of workers. See {@link #call}. */
  public GatewayApi gateway() {
    return gateway;
  }

  /** The generated operations of sign-on for programs. To sign people in, use an OpenID Connect library instead. */
  public SignOnApi signOn() {
    return signOn;
  }

  /** A call of a generated operation. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws ApiException;
  }

  /** Calls a generated operation, so that it throws as all others do: {@code call(() -> signOn.getJwks(null))}. */
  public static <T> T call(Call<T> operation) {
    Exchange.forgetLast();
    try {
      return operation.run();
    } catch (ApiException thrown) {
      throw GatehouseException.of(thrown, Exchange.last());
    } catch (IllegalArgumentException unsendable) {
      String detail = "No request can be made of these arguments: " + unsendable.getMessage();
      throw GatehouseException.local(GatehouseException.INVALID_ARGUMENT, detail, unsendable);
    } finally {
      Exchange.forgetLast();
    }
  }

  /** Like {@link #call}, for an answer that must have a body. */
  private static <T> T read(Call<T> operation) {
    return call(
        () -> {
          T value = operation.run();
          if (value == null) throw new ApiException("The answer has no body.");
          return value;
        });
  }

  /** Every instance integration of the API key's integration, oldest first. */
  public List<InstanceIntegration> instanceIntegrations() {
    return read(() -> gateway.listInstanceIntegrations(null));
  }

  /** Every client (company) of an instance integration, oldest first. */
  public List<PlatformClient> clients(String instanceIntegrationId) {
    requireId("instanceIntegrationId", instanceIntegrationId);
    return read(() -> gateway.listClients(instanceIntegrationId, null));
  }

  public PlatformClient client(String instanceIntegrationId, String clientId) {
    requirePlace(instanceIntegrationId, clientId);
    return read(() -> gateway.getClient(instanceIntegrationId, clientId, null));
  }

  /** The job titles of a client's workers, each once, sorted. */
  public List<String> jobTitles(String instanceIntegrationId, String clientId) {
    requirePlace(instanceIntegrationId, clientId);
    return read(() -> gateway.listJobTitles(instanceIntegrationId, clientId, null));
  }

  /** Unit types, units and locations of a client. */
  public OrganizationStructure organizationStructure(String instanceIntegrationId, String clientId) {
    requirePlace(instanceIntegrationId, clientId);
    return read(() -> gateway.getOrganizationStructure(instanceIntegrationId, clientId, null));
  }

  /** Every worker of a client with their units, oldest first. Pages are read as the stream needs them. */
  public Stream<WorkerV2> workers(String instanceIntegrationId, String clientId) {
    requirePlace(instanceIntegrationId, clientId);
    return Pages.stream(
        cursor ->
            call(() -> gateway.listWorkersV2WithHttpInfo(instanceIntegrationId, clientId, PAGE_SIZE, cursor, null)));
  }

  /** One worker, also one whose employment has ended. */
  public WorkerV2 worker(String instanceIntegrationId, String clientId, String workerId) {
    requirePlace(instanceIntegrationId, clientId);
    requireId("workerId", workerId);
    return read(() -> gateway.getWorkerV2(instanceIntegrationId, clientId, workerId, null));
  }

  /** Every dashboard user of a client, oldest first. Pages are read as the stream needs them. */
  public Stream<PlatformUser> users(String instanceIntegrationId, String clientId) {
    requirePlace(instanceIntegrationId, clientId);
    return Pages.stream(
        cursor -> call(() -> gateway.listUsersWithHttpInfo(instanceIntegrationId, clientId, PAGE_SIZE, cursor, null)));
  }

  public PlatformUser user(String instanceIntegrationId, String clientId, String userId) {
    requirePlace(instanceIntegrationId, clientId);
    requireId("userId", userId);
    return read(() -> gateway.getUser(instanceIntegrationId, clientId, userId, null));
  }

  /**
   * The current state of what an event is about: what is at its {@code data.links.self}.
   *
   * @param type {@link WorkerV2}, {@link PlatformUser}, {@link PlatformClient} or {@link OrganizationStructure}
   * @throws GatehouseException also for a link that leads elsewhere than below the gateway: the API key is sent to it
   */
  public <T> T follow(String link, Class<T> type) {
    HttpRequest request = HttpRequest.newBuilder(gatewayAddress(link)).header("Accept", "application/json").build();
    HttpResponse<byte[]> response = exchange.send(request, HttpResponse.BodyHandlers.ofByteArray());
    String body = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() >= 300)
      throw GatehouseException.stated(response.statusCode(), response.headers(), body);
    try {
      return JSON.readValue(body, type);
    } catch (JsonProcessingException notOfThatType) {
      throw GatehouseException.unreadable(response.statusCode(), response.headers(), notOfThatType);
    }
  }

  private URI gatewayAddress(String link) {
    try {
      if (link != null && GATEWAY_PATH.matcher(link).lookingAt() && !DOT.matcher(link).find()) {
        URI address = new URI(base + link);
        // A path with "..", "//" or "." is another one once it is normalised.
        if (address.normalize().equals(address)) return address;
      }
    } catch (URISyntaxException notAnAddress) {
      // Refused below, like one that leads elsewhere.
    }
    throw GatehouseException.invalidArgument("Not a path of the gateway: " + link);
  }

  private static void requirePlace(String instanceIntegrationId, String clientId) {
    requireId("instanceIntegrationId", instanceIntegrationId);
    requireId("clientId", clientId);
  }

  /** Ids as they were given. Anything else would become another path. */
  private static void requireId(String name, String id) {
    if (id == null || id.isEmpty()) throw GatehouseException.invalidArgument(name + " is missing.");
    if (!ID.matcher(id).matches()) throw GatehouseException.invalidArgument(name + " cannot be an id: " + id);
  }
}
