import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import example.gatehouse.sdk.ApiClient;
import example.gatehouse.sdk.Event;
import example.gatehouse.sdk.EventRefusedException;
import example.gatehouse.sdk.Events;
import example.gatehouse.sdk.Gatehouse;
import example.gatehouse.sdk.GatehouseException;
import example.gatehouse.sdk.api.GatewayApi;
import example.gatehouse.sdk.api.SignOnApi;
import example.gatehouse.sdk.model.FeedEvent;
import example.gatehouse.sdk.model.SignedHeaders;
import example.gatehouse.sdk.model.TokenReference;
import example.gatehouse.sdk.model.TokenRequest;
import example.gatehouse.sdk.model.WorkerV2;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers the lines of the conformance harness: each asks the SDK for one thing, and gets what a caller gets. */
public final class Driver {
  /** In ASCII, whatever the platform's charset is. */
  private static final ObjectMapper JSON =
      ApiClient.createDefaultObjectMapper().configure(JsonGenerator.Feature.ESCAPE_NON_ASCII, true);

  private static final Map<String, Gatehouse> KEPT = new HashMap<>();

  /** Sent where the line has no API key; no key has this form. */
  private static final String NO_KEY = "none";

  private Driver() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
      System.out.flush();
    }
  }

  private static Map<String, ?> answer(JsonNode asked) throws IOException {
    String door = asked.path("door").asText("");
    try {
      if (door.equals("verify")) return Map.of("event", verify(asked));
      if (!door.isEmpty()) return Map.of("value", cancelled(asked.get("cancelAfterMs"), () -> door(door, asked)));
      Map<String, Object> given = new HashMap<>();
      given.put("body", operation(asked));
      return given;
    } catch (GatehouseException thrown) {
      return Map.of("error", said(thrown));
    } catch (EventRefusedException refused) {
      return Map.of("eventRefused", refused.getReason().toString());
    } catch (UnsupportedOperationException unsupported) {
      return Map.of("unsupported", unsupported.getMessage());
    } catch (RuntimeException another) {
      return Map.of("crash", another.toString());
    }
  }

  private static Gatehouse open(JsonNode asked, Function<Gatehouse.Builder, Gatehouse.Builder> options) {
    Gatehouse.Builder builder = Gatehouse.builder(asked.path("baseUrl").asText(), asked.path("apiKey").asText(NO_KEY));
    return options.apply(builder).build();
  }

  private static Gatehouse.Builder given(JsonNode options, Gatehouse.Builder builder) {
    if (options.has("retries")) builder.retries(options.get("retries").asInt());
    if (options.has("deadlineMs")) builder.deadline(Duration.ofMillis(options.get("deadlineMs").asLong()));
    if (options.has("longestWaitMs")) builder.longestWait(Duration.ofMillis(options.get("longestWaitMs").asLong()));
    if (options.has("answerBytesMax")) builder.answerBytesMax(options.get("answerBytesMax").asInt());
    JsonNode entityTags = options.path("entityTags");
    if (entityTags.isBoolean()) builder.withoutEntityTags();
    if (entityTags.isObject())
      builder.entityTags(entityTags.path("answers").asInt(100), entityTags.path("bytes").asLong(16 << 20));
    return builder;
  }

  /** What a call gives whose thread is interrupted after a time, if there is one. */
  private static <T> T cancelled(JsonNode afterMs, Supplier<T> call) {
    if (afterMs == null) return call.get();
    Thread caller = Thread.currentThread();
    Timer timer = new Timer(true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            caller.interrupt();
          }
        },
        afterMs.asLong());
    try {
      return call.get();
    } finally {
      timer.cancel();
      // The next line is another call.
      Thread.interrupted();
    }
  }

  private static Object door(String door, JsonNode asked) {
    Function<String, Gatehouse> opened = name -> open(asked, builder -> given(asked.path("options"), builder));
    String keep = asked.path("keep").asText("");
    Gatehouse gatehouse = asked.path("keep").isTextual() ? KEPT.computeIfAbsent(keep, opened) : opened.apply(keep);
    if (door.equals("together")) return together(gatehouse, asked);
    if (!asked.has("times")) return called(gatehouse, door, asked);
    List<CompletableFuture<Object>> calls = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(asked.get("times").asInt());
    for (int at = 0; at < asked.get("times").asInt(); at++)
      calls.add(CompletableFuture.supplyAsync(() -> called(gatehouse, door, asked), threads));
    threads.shutdown();
    return calls.stream().map(CompletableFuture::join).collect(Collectors.toList());
  }

  /** Calls begin one after another, a moment apart, and are named in the order in which they end. */
  private static List<String> together(Gatehouse gatehouse, JsonNode asked) {
    List<String> ended = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    for (JsonNode name : asked.path("arguments")) {
      if (!calls.isEmpty()) pause();
      calls.add(
          CompletableFuture.runAsync(() -> ended.add(name.asText() + " " + end(gatehouse, name.asText())), threads));
    }
    threads.shutdown();
    calls.forEach(CompletableFuture::join);
    return ended;
  }

  private static void pause() {
    try {
      Thread.sleep(1000);
    } catch (InterruptedException never) {
      throw new IllegalStateException(never);
    }
  }

  private static String end(Gatehouse gatehouse, String name) {
    try {
      if (name.equals("poll")) Gatehouse.call(() -> gatehouse.gateway().readEvents("subscription_1", null, null, 25));
      else if (name.equals("clients")) gatehouse.clients("installation_1");
      else gatehouse.instanceIntegrations();
      return "ok";
    } catch (GatehouseException thrown) {
      return thrown.getCode();
    }
  }

  private static Object called(Gatehouse gatehouse, String door, JsonNode asked) {
    List<String> ids = new ArrayList<>();
    asked.path("arguments").forEach(argument -> ids.add(argument.asText()));
    switch (door) {
      case "instanceIntegrations":
        return gatehouse.instanceIntegrations();
      case "clients":
        return gatehouse.clients(ids.get(0));
      case "client":
        return gatehouse.client(ids.get(0), ids.get(1));
      case "jobTitles":
        return gatehouse.jobTitles(ids.get(0), ids.get(1));
      case "organizationStructure":
        return gatehouse.organizationStructure(ids.get(0), ids.get(1));
      case "workers":
        return gatehouse.workers(ids.get(0), ids.get(1)).collect(Collectors.toList());
      case "workersUntilError":
        return untilError(gatehouse.workers(ids.get(0), ids.get(1)));
      case "worker":
        return gatehouse.worker(ids.get(0), ids.get(1), ids.get(2));
      case "users":
        return gatehouse.users(ids.get(0), ids.get(1)).collect(Collectors.toList());
      case "user":
        return gatehouse.user(ids.get(0), ids.get(1), ids.get(2));
      case "headersOfInstanceIntegrations":
        return Gatehouse.call(() -> gatehouse.gateway().listInstanceIntegrationsWithHttpInfo(null)).getHeaders();
      case "follow":
        return gatehouse.follow(ids.get(0), JsonNode.class);
      default:
        throw new UnsupportedOperationException("The SDK has no " + door + ".");
    }
  }

  private static Map<String, Object> untilError(Stream<WorkerV2> workers) {
    List<String> ids = new ArrayList<>();
    try {
      workers.forEach(worker -> ids.add(worker.getId()));
    } catch (GatehouseException thrown) {
      return Map.of("ids", ids, "code", thrown.getCode());
    }
    return Map.of("ids", ids);
  }

  private static Object operation(JsonNode asked) throws IOException {
    Gatehouse gatehouse = open(asked, builder -> builder.retries(asked.path("retries").asInt()).withoutEntityTags());
    GatewayApi gateway = gatehouse.gateway();
    SignOnApi signOn = gatehouse.signOn();
    JsonNode parameters = asked.path("parameters");
    String installation = parameters.path("instanceIntegrationId").asText();
    String client = parameters.path("clientId").asText();
    Integer limit = parameters.has("limit") ? Integer.valueOf(parameters.get("limit").asText()) : null;
    String cursor = parameters.has("cursor") ? parameters.get("cursor").asText() : null;
    String tag = asked.path("headers").path("if-none-match").asText(null);
    Map<String, String> headers = credentials(asked);
    switch (asked.path("operationId").asText()) {
      case "listInstanceIntegrations":
        return Gatehouse.call(() -> gateway.listInstanceIntegrations(tag));
      case "listClients":
        return Gatehouse.call(() -> gateway.listClients(installation, tag));
      case "getClient":
        return Gatehouse.call(() -> gateway.getClient(installation, client, tag));
      case "listJobTitles":
        return Gatehouse.call(() -> gateway.listJobTitles(installation, client, tag));
      case "getOrganizationStructure":
        return Gatehouse.call(() -> gateway.getOrganizationStructure(installation, client, tag));
      case "listWorkers":
        return Gatehouse.call(() -> gateway.listWorkers(installation, client, tag));
      case "listWorkersV2":
        return Gatehouse.call(() -> gateway.listWorkersV2(installation, client, limit, cursor, tag));
      case "getWorkerV2":
        String worker = parameters.path("workerId").asText();
        return Gatehouse.call(() -> gateway.getWorkerV2(installation, client, worker, tag));
      case "listUsers":
        return Gatehouse.call(() -> gateway.listUsers(installation, client, limit, cursor, tag));
      case "getUser":
        return Gatehouse.call(() -> gateway.getUser(installation, client, parameters.path("userId").asText(), tag));
      case "exchangeToken":
        TokenRequest request = JSON.treeToValue(asked.path("body"), TokenRequest.class);
        return Gatehouse.call(() -> signOn.exchangeToken(request, headers));
      case "introspectToken":
        TokenReference token = JSON.treeToValue(asked.path("body"), TokenReference.class);
        return Gatehouse.call(() -> signOn.introspectToken(token, headers));
      case "revokeToken":
        TokenReference revoked = JSON.treeToValue(asked.path("body"), TokenReference.class);
        return Gatehouse.call(
            () -> {
              signOn.revokeToken(revoked, headers);
              return null;
            });
      case "getUserinfo":
        return Gatehouse.call(() -> signOn.getUserinfo(headers));
      case "getOpenidConfiguration":
        return Gatehouse.call(() -> signOn.getOpenidConfiguration());
      case "getAuthorizationServerMetadata":
        return Gatehouse.call(() -> signOn.getAuthorizationServerMetadata());
      case "getJwks":
        return Gatehouse.call(() -> signOn.getJwks(tag));
      default:
        return Gatehouse.call(() -> new OwnWebhooks(JSON, gateway).ask(asked));
    }
  }

  private static Map<String, String> credentials(JsonNode asked) {
    if (asked.path("bearer").isTextual()) return Map.of("Authorization", "Bearer " + asked.get("bearer").asText());
    if (!asked.path("basic").isObject()) return Map.of();
    String pair = asked.at("/basic/username").asText() + ":" + asked.at("/basic/password").asText();
    String coded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return Map.of("Authorization", "Basic " + coded);
  }

  private static Map<String, Object> verify(JsonNode asked) throws EventRefusedException {
    List<String> secrets = asked.path("secrets").isNull() ? null : new ArrayList<>();
    asked.path("secrets").forEach(secret -> secrets.add(secret.asText(null)));
    String body = asked.path("body").asText();
    Instant now = Instant.ofEpochSecond(asked.path("now").asLong());
    Duration tolerance = Duration.ofSeconds(asked.path("toleranceSeconds").asLong(300));
    Event event =
        asked.path("isOfFeed").asBoolean()
            ? Events.verify(secrets, ofFeed(asked.path("headers"), body), now, tolerance)
            : Events.verify(secrets, headers(asked), body.getBytes(StandardCharsets.UTF_8), now, tolerance);
    return Map.of("type", event.getType(), "known", event.isKnown());
  }

  private static Function<String, String> headers(JsonNode asked) {
    Map<String, List<String>> headers = new HashMap<>();
    asked.path("headers").fields().forEachRemaining(one -> headers.put(one.getKey(), List.of(one.getValue().asText())));
    return Events.headers(headers);
  }

  private static FeedEvent ofFeed(JsonNode headers, String body) {
    return new FeedEvent().headers(JSON.convertValue(headers, SignedHeaders.class)).body(body);
  }

  private static Map<String, Object> said(GatehouseException thrown) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("status", thrown.getStatus());
    members.put("code", thrown.getCode());
    members.put("detail", thrown.getDetail());
    thrown.getTitle().ifPresent(title -> members.put("title", title));
    thrown.getRequestId().ifPresent(requestId -> members.put("requestId", requestId));
    thrown.getRetryAfter().ifPresent(wait -> members.put("retryAfter", wait.toMillis() / 1000.0));
    members.put("violations", thrown.getViolations());
    members.put("violationsAsText", thrown.getViolations().toString());
    thrown.getError().ifPresent(error -> members.put("error", error));
    thrown.getErrorDescription().ifPresent(description -> members.put("errorDescription", description));
    return members;
  }
}
