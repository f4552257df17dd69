import com.fasterxml.jackson.databind.ObjectMapper;
import example.gatehouse.sdk.ApiException;
import example.gatehouse.sdk.Gatehouse;
import example.gatehouse.sdk.model.AuthorizationCodeGrant;
import example.gatehouse.sdk.model.Problem;
import example.gatehouse.sdk.model.TokenRequest;
import example.gatehouse.sdk.model.TokenResponse;
import example.gatehouse.sdk.model.Worker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Calls the SDK as an integrator would, and prints what it got as one line of JSON. */
public final class Check {
  private interface Call {
    Object run() throws ApiException;
  }

  private static ApiException thrownBy(Call call) {
    try {
      call.run();
    } catch (ApiException exception) {
      return exception;
    }
    throw new IllegalStateException("Nothing was thrown");
  }

  private static Map<String, Object> problemOf(Gatehouse gatehouse, Call call) {
    ApiException exception = thrownBy(call);
    Problem problem = gatehouse.problem(exception).orElseThrow();
    String requestId = exception.getResponseHeaders().firstValue("x-request-id").orElseThrow();
    return Map.of("status", exception.getCode(), "code", problem.getCode(), "requestId", problem.getRequestId().equals(requestId));
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> asked = System.getenv();
    String installation = asked.get("GATEHOUSE_INSTALLATION");
    String client = asked.get("GATEHOUSE_CLIENT");
    Gatehouse nobody = Gatehouse.at(asked.get("GATEHOUSE_URL"));
    Gatehouse ours = nobody.withApiKey(asked.get("GATEHOUSE_API_KEY"));
    TokenRequest request =
        new TokenRequest(
            new AuthorizationCodeGrant()
                .grantType(AuthorizationCodeGrant.GrantTypeEnum.AUTHORIZATION_CODE)
                .code(asked.get("GATEHOUSE_CODE"))
                .redirectUri(asked.get("GATEHOUSE_REDIRECT_URI"))
                .clientId(asked.get("GATEHOUSE_APPLICATION"))
                .clientSecret(asked.get("GATEHOUSE_SECRET")));
    Map<String, Object> got = new LinkedHashMap<>();
    got.put("workers", ours.gateway().listWorkers(installation, client, null).stream().map(Worker::getFullName).collect(Collectors.toList()));
    got.put("unauthorized", problemOf(nobody, () -> nobody.withApiKey("wrong").gateway().listWorkers(installation, client, null)));
    got.put("notFound", problemOf(nobody, () -> ours.gateway().listWorkers(installation, asked.get("GATEHOUSE_UNKNOWN_CLIENT"), null)));
    TokenResponse tokens = nobody.signOn().exchangeToken(request);
    got.put("tokenType", tokens.getTokenType());
    got.put("email", nobody.withAccessToken(tokens.getAccessToken()).signOn().getUserinfo().getEmail());
    ApiException refused = thrownBy(() -> nobody.signOn().exchangeToken(request));
    got.put("refused", Map.of("status", refused.getCode(), "error", nobody.refusal(refused).orElseThrow().getError()));
    System.out.println(new ObjectMapper().writeValueAsString(got));
  }
}
