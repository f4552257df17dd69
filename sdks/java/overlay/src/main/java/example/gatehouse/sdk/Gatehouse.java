package example.gatehouse.sdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import example.gatehouse.sdk.api.GatewayApi;
import example.gatehouse.sdk.api.SignOnApi;
import example.gatehouse.sdk.model.OAuthError;
import example.gatehouse.sdk.model.Problem;
import java.util.Optional;

/** The clients of Gatehouse with credentials, which the generated clients do not send by default. */
public final class Gatehouse {
  private final String url;
  private final String header;
  private final String value;

  private Gatehouse(String url, String header, String value) {
    this.url = url;
    this.header = header;
    this.value = value;
  }

  /** Address of Gatehouse, without a slash at the end. */
  public static Gatehouse at(String url) {
    return new Gatehouse(url, null, null);
  }

  /** For the gateway. */
  public Gatehouse withApiKey(String apiKey) {
    return new Gatehouse(url, "x-api-key", apiKey);
  }

  /** For userinfo. */
  public Gatehouse withAccessToken(String accessToken) {
    return new Gatehouse(url, "Authorization", "Bearer " + accessToken);
  }

  public GatewayApi gateway() {
    return new GatewayApi(client());
  }

  public SignOnApi signOn() {
    return new SignOnApi(client());
  }

  /** The problem that the gateway reports (RFC 9457); empty when the answer has no problem. */
  public Optional<Problem> problem(ApiException exception) {
    return read(exception, Problem.class).filter(problem -> problem.getCode() != null);
  }

  /** The error of an OAuth endpoint (RFC 6749, section 5.2); empty when the answer has no such error. */
  public Optional<OAuthError> refusal(ApiException exception) {
    return read(exception, OAuthError.class).filter(refusal -> refusal.getError() != null);
  }

  private <T> Optional<T> read(ApiException exception, Class<T> type) {
    if (exception.getResponseBody() == null) return Optional.empty();
    try {
      return Optional.ofNullable(ApiClient.createDefaultObjectMapper().readValue(exception.getResponseBody(), type));
    } catch (JsonProcessingException notOfThatForm) {
      return Optional.empty();
    }
  }

  private ApiClient client() {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    if (header != null) client.setRequestInterceptor(request -> request.header(header, value));
    return client;
  }
}
