package example.gatehouse.sdk;

import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * Sends the requests of the generated code: with the API key, a deadline, retries of reads, and entity tags of answers
 * that are remembered. Only reads of the gateway are retried and remembered.
 */
final class Exchange extends HttpClient {
  private static final long BACK_OFF_FIRST_MS = 500;
  private static final long BACK_OFF_MS_MAX = 8_000;
  private static final Pattern OF_THE_CODING =
      Pattern.compile("content-(encoding|length)", Pattern.CASE_INSENSITIVE);
  private static final Pattern WAIT = Pattern.compile("(^|&)wait=0*[1-9]");

  private static final String DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
  private static final String WHOLE_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final String MONTH = "(?<month>" + String.join("|", MONTHS) + ")";
  private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";
  private static final String YEAR = "(?<year>[1-9][0-9]{3})";

  /** The three forms of a date (RFC 9110 §5.6.7), read by its parts: what a platform takes for a date differs. */
  private static final List<Pattern> HTTP_DATES =
      List.of(
          Pattern.compile(DAY + ", (?<day>[0-9]{2}) " + MONTH + " " + YEAR + " " + TIME + " GMT"),
          Pattern.compile(WHOLE_DAY + ", (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) " + TIME + " GMT"),
          Pattern.compile(DAY + " " + MONTH + " (?<day>[ 0-9][0-9]) " + TIME + " " + YEAR));

  /** A longer time is taken for this one (RFC 9111 §1.2.2). */
  private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(1L << 31);

  private final HttpClient http;
  private final URI base;
  private final String apiKey;
  private final Duration deadline;
  private final int retries;
  private final Duration longestWait;
  /** Of one answer's body, its content coding undone. */
  private final int answerBytesMax;
  private final RememberedAnswers remembered;
  private final Turnstile turnstile = new Turnstile();

  /** With {@code remembered} null, no entity tags are sent. */
  Exchange(
      HttpClient http,
      URI base,
      String apiKey,
      Duration deadline,
      int retries,
      Duration longestWait,
      int answerBytesMax,
      RememberedAnswers remembered) {
    this.http = http;
    this.base = base;
    this.apiKey = apiKey;
    this.deadline = deadline;
    this.retries = retries;
    this.longestWait = longestWait;
    this.answerBytesMax = answerBytesMax;
    this.remembered = remembered;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    Received received = received(request);
    LAST.set(new Head(received.status, received.headers));
    return received.as(handler);
  }

  /** Status and headers of an answer. */
  static final class Head {
    final int status;
    final HttpHeaders headers;

    private Head(int status, HttpHeaders headers) {
      this.status = status;
      this.headers = headers;
    }
  }

  /** The generated code throws without it what it cannot read. An operation sends in the thread that calls it. */
  private static final ThreadLocal<Head> LAST = new ThreadLocal<>();

  /** The last answer in this thread; null for none since it was forgotten. */
  static Head last() {
    return LAST.get();
  }

  static void forgetLast() {
    LAST.remove();
  }

  private Received received(HttpRequest asked) {
    if (!isGateway(asked.uri())) return attempt(asked, () -> {});
    HttpRequest.Builder builder = copyOf(asked);
    String key = asked.headers().firstValue("x-api-key").orElse(apiKey);
    builder.setHeader("x-api-key", key);
    boolean isRead = asked.method().equals("GET");
    // A caller that sends a tag has a copy of its own.
    boolean isOurs = isRead && remembered != null && asked.headers().firstValue("If-None-Match").isEmpty();
    String address = asked.uri() + " " + key;
    RememberedAnswers.Answer known = isOurs ? remembered.find(address) : null;
    if (known != null) builder.setHeader("If-None-Match", known.entityTag);
    Received received = attempts(builder.build(), isRead ? retries : 0);
    if (received.status == 304 && known != null) {
      RememberedAnswers.Answer confirmed = RememberedAnswers.confirmed(known, received.headers);
      remembered.keep(address, confirmed);
      return new Received(asked, 200, confirmed.headers, confirmed.body, received.version);
    }
    Optional<String> entityTag = received.headers.firstValue("ETag");
    boolean isKept = isOurs && received.status == 200 && isStorable(received.headers);
    if (isKept && entityTag.isPresent() && isJson(received.body))
      remembered.keep(address, new RememberedAnswers.Answer(entityTag.get(), received.headers, received.body));
    return received;
  }

  /** False for an answer that is to be kept nowhere (RFC 9111 §5.2.2.5), as those about webhooks. */
  private static boolean isStorable(HttpHeaders headers) {
    return headers.allValues("Cache-Control").stream()
        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("no-store"));
  }

  /** A body that was cut on its way is not remembered: each 304 would confirm it again, until something changes. */
  private static boolean isJson(byte[] body) {
    try (JsonParser parser = Gatehouse.JSON.createParser(body)) {
      return !parser.readValueAsTree().isMissingNode() && parser.nextToken() == null;
    } catch (IOException | RuntimeException notJson) {
      return false;
    }
  }

  private boolean isGateway(URI address) {
    String prefix = base.getRawPath() == null ? "" : base.getRawPath();
    String path = address.getRawPath();
    return path.startsWith(prefix) && Gatehouse.GATEWAY_PATH.matcher(path.substring(prefix.length())).lookingAt();
  }

  private static HttpRequest.Builder copyOf(HttpRequest request) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri());
    builder.method(request.method(), request.bodyPublisher().orElse(HttpRequest.BodyPublishers.noBody()));
    request.headers().map().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
    return builder;
  }

  private Received attempts(HttpRequest request, int retriesLeft) {
    if (retriesLeft == 0) return attempt(request, () -> {});
    Turnstile.Place place = turnstile.place();
    try {
      return attempts(request, retriesLeft, place);
    } catch (InterruptedException interrupted) {
      throw cancelled(interrupted);
    } finally {
      place.leave();
    }
  }

  private Received attempts(HttpRequest request, int retriesLeft, Turnstile.Place place) throws InterruptedException {
    // While the server waits for events, other reads are not to wait for it.
    Runnable onSent = asksToWait(request.uri()) ? place::leave : () -> {};
    for (int failures = 0; ; failures++) {
      boolean isLast = failures >= retriesLeft;
      Duration wait = backOff(failures);
      place.pass();
      try {
        Received received = attempt(request, onSent);
        Optional<Duration> limited = limitedFor(received);
        limited.ifPresent(place::refused);
        if (isLast || (received.status != 429 && received.status != 503)) return received;
        Optional<Duration> asked = retryAfter(received.headers);
        if (asked.isPresent() && asked.get().compareTo(longestWait) > 0) return received;
        wait = asked.orElse(wait);
        // The turnstile waits.
        if (limited.isPresent()) continue;
      } catch (GatehouseException thrown) {
        // A deadline is not retried: the caller would wait a multiple of it.
        if (isLast || !thrown.getCode().equals(GatehouseException.NO_ANSWER)) throw thrown;
      }
      place.leave();
      Thread.sleep(wait.toMillis());
    }
  }

  /** True for a read of the feed that the server may answer later. */
  private static boolean asksToWait(URI address) {
    return address.getRawQuery() != null && WAIT.matcher(address.getRawQuery()).find();
  }

  /** How long the key is over its limit, by an answer whose time is not too long to be waited for. */
  private Optional<Duration> limitedFor(Received received) {
    if (received.status != 429) return Optional.empty();
    return retryAfter(received.headers).filter(wait -> wait.compareTo(longestWait) <= 0);
  }

  /** Any time up to one that doubles with each failure, so that many callers do not come back at once. */
  private static Duration backOff(int failures) {
    long most = Math.min(BACK_OFF_FIRST_MS << Math.min(failures, 10), BACK_OFF_MS_MAX);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most));
  }

  /** One attempt, until the last byte of its answer. */
  private Received attempt(HttpRequest request, Runnable onSent) {
    HttpRequest.Builder compressed = copyOf(request);
    if (request.headers().firstValue("Accept-Encoding").isEmpty()) compressed.header("Accept-Encoding", "gzip");
    CompletableFuture<HttpResponse<byte[]>> sent =
        http.sendAsync(compressed.build(), info -> new BoundedBody(answerBytesMax));
    onSent.run();
    try {
      HttpResponse<byte[]> response = sent.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
      return decoded(request, response);
    } catch (IOException corrupt) {
      throw noAnswer(corrupt);
    } catch (TimeoutException late) {
      sent.cancel(true);
      String detail = "There was no whole answer within " + deadline.toMillis() + " ms.";
      throw GatehouseException.local(GatehouseException.DEADLINE_EXCEEDED, detail, late);
    } catch (InterruptedException interrupted) {
      sent.cancel(true);
      throw cancelled(interrupted);
    } catch (ExecutionException failed) {
      throw noAnswer(failed.getCause());
    }
  }

  private GatehouseException noAnswer(Throwable cause) {
    String detail = "Gatehouse cannot be reached at " + base + ".";
    return GatehouseException.local(GatehouseException.NO_ANSWER, detail, cause);
  }

  /** Java decodes no content coding. The headers of what was decoded are those of the decoded body. */
  private Received decoded(HttpRequest request, HttpResponse<byte[]> response) throws IOException {
    HttpHeaders headers = response.headers();
    byte[] body = bounded(response, response.body());
    String coding = headers.firstValue("Content-Encoding").orElse("").trim();
    if (body.length > 0 && (coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip"))) {
      int oneMore = (int) Math.min(answerBytesMax + 1L, Integer.MAX_VALUE);
      body = bounded(response, new GZIPInputStream(new ByteArrayInputStream(body)).readNBytes(oneMore));
      headers = HttpHeaders.of(headers.map(), (name, value) -> !OF_THE_CODING.matcher(name).matches());
    }
    return new Received(request, response.statusCode(), headers, body, response.version());
  }

  private byte[] bounded(HttpResponse<byte[]> response, byte[] body) {
    if (body.length <= answerBytesMax) return body;
    throw GatehouseException.tooLarge(response.statusCode(), response.headers(), answerBytesMax);
  }

  private static GatehouseException cancelled(InterruptedException interrupted) {
    Thread.currentThread().interrupt();
    return GatehouseException.local(GatehouseException.CANCELLED, "The thread was interrupted.", interrupted);
  }

  /** The time that Retry-After names, in seconds or as a date (RFC 9110 §10.2.3); 2^31 seconds at most. */
  static Optional<Duration> retryAfter(HttpHeaders headers) {
    String value = String.join(", ", headers.allValues("Retry-After")).trim();
    if (value.matches("0*[0-9]{1,10}")) return Optional.of(atMost(Duration.ofSeconds(Long.parseLong(value))));
    if (value.matches("[0-9]+")) return Optional.of(RETRY_AFTER_MAX);
    for (Pattern form : HTTP_DATES) {
      Matcher parts = form.matcher(value);
      if (parts.matches())
        return instantOf(parts)
            .map(at -> Duration.between(Instant.now(), at))
            .map(left -> left.isNegative() ? Duration.ZERO : atMost(left));
    }
    return Optional.empty();
  }

  private static Duration atMost(Duration wait) {
    return wait.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : wait;
  }

  /** Empty for a date that no calendar has. */
  private static Optional<Instant> instantOf(Matcher parts) {
    ToIntFunction<String> part = name -> Integer.parseInt(parts.group(name).trim());
    int year = part.applyAsInt("year");
    if (parts.group("year").length() == 2) {
      // The year that is at most fifty years ahead.
      int earliest = LocalDate.now(ZoneOffset.UTC).getYear() - 49;
      year = earliest + Math.floorMod(year - earliest, 100);
    }
    int month = MONTHS.indexOf(parts.group("month")) + 1;
    try {
      LocalDate date = LocalDate.of(year, month, part.applyAsInt("day"));
      LocalTime time = LocalTime.of(part.applyAsInt("hour"), part.applyAsInt("minute"), part.applyAsInt("second"));
      return Optional.of(date.atTime(time).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  /** A whole answer, whose body can be given in any form. */
  private static final class Received implements HttpResponse.ResponseInfo {
    private final HttpRequest request;
    final int status;
    final HttpHeaders headers;
    final byte[] body;
    final Version version;

    Received(HttpRequest request, int status, HttpHeaders headers, byte[] body, Version version) {
      this.request = request;
      this.status = status;
      this.headers = headers;
      this.body = body;
      this.version = version;
    }

    @Override
    public int statusCode() {
      return status;
    }

    @Override
    public HttpHeaders headers() {
      return headers;
    }

    @Override
    public Version version() {
      return version;
    }

    <T> HttpResponse<T> as(HttpResponse.BodyHandler<T> handler) {
      HttpResponse.BodySubscriber<T> subscriber = handler.apply(this);
      subscriber.onSubscribe(new Flow.Subscription() {
        @Override
        public void request(long items) {}

        @Override
        public void cancel() {}
      });
      if (body.length > 0) subscriber.onNext(List.of(ByteBuffer.wrap(readable())));
      subscriber.onComplete();
      return new Given<>(this, subscriber.getBody().toCompletableFuture().join());
    }

    /**
     * The generated code reads bodies in the platform's charset, which need not be UTF-8 before Java 18. JSON can be
     * written in ASCII alone, which all charsets have in common.
     */
    private byte[] readable() {
      if (Charset.defaultCharset().equals(StandardCharsets.UTF_8)) return body;
      StringBuilder ascii = new StringBuilder(body.length);
      for (char character : new String(body, StandardCharsets.UTF_8).toCharArray()) {
        if (character < 128) ascii.append(character);
        else ascii.append(String.format("\\u%04x", (int) character));
      }
      return ascii.toString().getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static final class Given<T> implements HttpResponse<T> {
    private final Received received;
    private final T body;

    Given(Received received, T body) {
      this.received = received;
      this.body = body;
    }

    @Override
    public int statusCode() {
      return received.status;
    }

    @Override
    public HttpRequest request() {
      return received.request;
    }

    @Override
    public Optional<HttpResponse<T>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
      return received.headers;
    }

    @Override
    public T body() {
      return body;
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return received.request.uri();
    }

    @Override
    public Version version() {
      return received.version;
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return CompletableFuture.supplyAsync(() -> send(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
    return sendAsync(request, handler);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return http.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return http.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return http.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return http.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return http.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return http.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return http.authenticator();
  }

  @Override
  public Version version() {
    return http.version();
  }

  @Override
  public Optional<Executor> executor() {
    return http.executor();
  }
}
