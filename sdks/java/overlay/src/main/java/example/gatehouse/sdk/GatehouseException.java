package example.gatehouse.sdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The one exception of every call: a problem of the gateway (RFC 9457), an error of sign-on (RFC 6749 §5.2), a call
 * without an answer, or a bad argument. Only {@link Events#verify} has another, {@link EventRefusedException}.
 */
public final class GatehouseException extends RuntimeException {
  /** The code of what cannot be sent, such as an empty id. */
  public static final String INVALID_ARGUMENT = "invalid_argument";

  /** The code of a connection that is refused or ends before the answer does. */
  public static final String NO_ANSWER = "no_answer";

  /** The code of an attempt without a whole answer within the deadline. */
  public static final String DEADLINE_EXCEEDED = "deadline_exceeded";

  /** The code of a call whose thread was interrupted. */
  public static final String CANCELLED = "cancelled";

  /** The code of 304, when the caller sent an entity tag. */
  public static final String NOT_MODIFIED = "not_modified";

  /** The code of an answer that the contract does not have, such as a proxy's page. */
  public static final String UNEXPECTED_ANSWER = "unexpected_answer";

  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final String title;
  private final String detail;
  private final String requestId;
  private final Duration retryAfter;
  private final transient List<Violation> violations;
  private final boolean isOAuth;

  private GatehouseException(Answer answer, String code, String detail, Throwable cause) {
    this(answer, code, null, detail, List.of(), false, cause);
  }

  private GatehouseException(
      Answer answer,
      String code,
      String title,
      String detail,
      List<Violation> violations,
      boolean isOAuth,
      Throwable cause) {
    super(sentence(answer, code, detail), cause);
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.violations = violations;
    this.isOAuth = isOAuth;
  }

  private static String sentence(Answer answer, String code, String detail) {
    String said = (answer.status == 0 ? "" : answer.status + " ") + code + ": " + detail;
    return answer.requestId == null ? said : said + " (request " + answer.requestId + ")";
  }

  /** The HTTP status; 0 when there is no answer. */
  public int getStatus() {
    return status;
  }

  /** A stable word for programs: {@code client_not_found}, {@code too_many_requests}, {@code no_answer}, … */
  public String getCode() {
    return code;
  }

  /** The kind of error, the same for every occurrence; empty when Gatehouse gives none. */
  public Optional<String> getTitle() {
    return Optional.ofNullable(title);
  }

  /** A sentence about this occurrence. */
  public String getDetail() {
    return detail;
  }

  /** Identifies the request in Gatehouse's logs; quote it when you ask for help. */
  public Optional<String> getRequestId() {
    return Optional.ofNullable(requestId);
  }

  /** The time to wait before the next attempt, when the answer names one. */
  public Optional<Duration> getRetryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** On 400 of the gateway: each part of the request that was refused. */
  public List<Violation> getViolations() {
    return violations == null ? List.of() : violations;
  }

  /** The error code of an OAuth endpoint; equal to the code. */
  public Optional<String> getError() {
    return isOAuth ? Optional.of(code) : Optional.empty();
  }

  /** The sentence of an OAuth endpoint; equal to the detail. */
  public Optional<String> getErrorDescription() {
    return isOAuth ? Optional.of(detail) : Optional.empty();
  }

  /** One part of a request that the gateway refused. */
  public static final class Violation {
    private final String location;
    private final String name;
    private final String message;

    private Violation(JsonNode part) {
      this.location = part.path("in").asText("");
      this.name = part.path("name").asText("");
      this.message = part.path("detail").asText("");
    }

    /** {@code path}, {@code query}, {@code header} or {@code body}. */
    public String getLocation() {
      return location;
    }

    /** Name of the parameter, or JSON pointer into the body. */
    public String getName() {
      return name;
    }

    /** What is wrong with it. */
    public String getMessage() {
      return message;
    }

    /** All three, as in {@code query limit: must be <= 1000}. */
    @Override
    public String toString() {
      return location + " " + name + ": " + message;
    }
  }

  /** What an answer says beside its body. */
  private static final class Answer {
    static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (name, value) -> true);
    static final Answer NONE = new Answer(0, NO_HEADERS);

    final int status;
    final String requestId;
    final Duration retryAfter;

    Answer(int status, HttpHeaders headers) {
      this.status = status;
      this.requestId = headers.firstValue("x-request-id").orElse(null);
      this.retryAfter = Exchange.retryAfter(headers).orElse(null);
    }
  }

  static GatehouseException local(String code, String detail, Throwable cause) {
    return new GatehouseException(Answer.NONE, code, detail, cause);
  }

  static GatehouseException invalidArgument(String detail) {
    return local(INVALID_ARGUMENT, detail, null);
  }

  /** For a success whose body is not what the contract says. */
  static GatehouseException unreadable(int status, HttpHeaders headers, Throwable cause) {
    String detail = "The answer cannot be read: it is not the JSON that the contract describes.";
    return unexpected(status, headers, detail, cause);
  }

  /** For an answer that the contract does not have. */
  static GatehouseException unexpected(int status, HttpHeaders headers, String detail, Throwable cause) {
    return new GatehouseException(new Answer(status, headers), UNEXPECTED_ANSWER, detail, cause);
  }

  /** For an answer of which no more than the bound was read. */
  static GatehouseException tooLarge(int status, HttpHeaders headers, int bytesMax) {
    String detail = "The answer is larger than " + bytesMax + " bytes.";
    return unexpected(status, headers, detail, null);
  }

  /**
   * What a generated operation threw: the error that the answer states, that the answer cannot be read, or that a
   * parameter is missing, for which it has a status although nothing is sent.
   *
   * @param last the answer that the operation got; null for none
   */
  static GatehouseException of(ApiException thrown, Exchange.Head last) {
    boolean hasAnswer = thrown.getResponseHeaders() != null;
    if (!hasAnswer && last == null) return invalidArgument(thrown.getMessage());
    if (!hasAnswer) return unreadable(last.status, last.headers, thrown);
    return stated(thrown.getCode(), thrown.getResponseHeaders(), thrown.getResponseBody());
  }

  /** The error that an answer other than success states. */
  static GatehouseException stated(int status, HttpHeaders headers, String body) {
    Answer answer = new Answer(status, headers);
    if (status == 304)
      return new GatehouseException(answer, NOT_MODIFIED, "Nothing has changed since your copy.", null);
    String type = headers.firstValue("content-type").orElse("").split(";")[0].trim().toLowerCase(Locale.ROOT);
    Optional<GatehouseException> known = Optional.empty();
    if (type.equals("application/problem+json")) known = problem(answer, membersOf(body));
    if (type.equals("application/json")) known = refusal(answer, membersOf(body));
    String media = type.isEmpty() ? "no media type" : type;
    String detail = "The answer is none of Gatehouse's: status " + status + ", " + media + ".";
    return known.orElseGet(() -> new GatehouseException(answer, UNEXPECTED_ANSWER, detail, null));
  }

  /** Members of other forms, which servers on the way to Gatehouse may send, are left out: status and code matter more. */
  private static Optional<GatehouseException> problem(Answer answer, JsonNode said) {
    if (!said.path("code").isTextual()) return Optional.empty();
    String title = textOf(said.path("title"));
    String detail = textOf(said.path("detail"));
    List<Violation> violations = new ArrayList<>();
    if (said.path("errors").isArray())
      for (JsonNode part : said.path("errors")) if (part.isObject()) violations.add(new Violation(part));
    String sentence = detail != null ? detail : title != null ? title : "";
    return Optional.of(
        new GatehouseException(
            answer, said.path("code").textValue(), title, sentence, List.copyOf(violations), false, null));
  }

  private static Optional<GatehouseException> refusal(Answer answer, JsonNode said) {
    if (!said.path("error").isTextual()) return Optional.empty();
    String description = textOf(said.path("error_description"));
    String detail = description == null ? "" : description;
    return Optional.of(
        new GatehouseException(answer, said.path("error").textValue(), null, detail, List.of(), true, null));
  }

  /** Null for what is no text. */
  private static String textOf(JsonNode member) {
    return member.textValue();
  }

  private static JsonNode membersOf(String body) {
    try {
      return Gatehouse.JSON.readTree(body == null ? "" : body);
    } catch (JsonProcessingException notJson) {
      return MissingNode.getInstance();
    }
  }
}
