import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { ApplicationAuthentication } from "../../../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { Failure } from "../../../../src/runtime/basis/errors.ts";
import { GRANT_TYPES } from "../../../../src/sign-on/applications/application.ts";
import { toExchangeTokenRequest, toTokenResponse } from "../../../../src/sign-on/conversations/token/token-wire.ts";

type Body = Parameters<typeof toExchangeTokenRequest>[0];

const CODE: Body = { grant_type: "authorization_code", code: "c", redirect_uri: "https://app.example/cb" };
const { BASIC, POST } = ApplicationAuthentication;
const NONE = ApplicationAuthentication.NONE;

const basic = (text: string, encoding: "utf8" | "latin1" = "utf8") =>
  `Basic ${Buffer.from(text, encoding).toString("base64")}`;

function credentials(authorization: string | undefined, more: Readonly<Record<string, string>> = {}) {
  try {
    const { application } = toExchangeTokenRequest({ ...CODE, ...more } as Body, authorization);
    return application;
  } catch (error) {
    return (error as Failure).reason;
  }
}
const basicOf = (applicationId: string, secret: string) => ({ authentication: BASIC, applicationId, secret });

describe("how an application authenticates (R-S2, RFC 6749 §2.3.1)", () => {
  it.each<[string, unknown]>([
    [basic("app_1:secret"), basicOf("app_1", "secret")],
    [basic("app_1:secret").replace("Basic", "bAsIc"), basicOf("app_1", "secret")],
    [basic("app_1:secret").replace(" ", "   "), basicOf("app_1", "secret")],
    [basic("app_1:"), basicOf("app_1", "")],
    [basic(":secret"), basicOf("", "secret")],
    [basic("app_1:se:cr:et"), basicOf("app_1", "se:cr:et")],
    // form-decoded
    [basic("app%5F1:s%3Ae+c%2Br%25et"), basicOf("app_1", "s:e c+r%et")],
    [basic("app_1:%F0%9F%99%82"), basicOf("app_1", "🙂")],
    [basic("app_1:schlüssel"), basicOf("app_1", "schlüssel")],
    // no colon, no base64, loose base64
    [basic("app_1"), "invalid_client"],
    [basic("app_1%3Asecret"), "invalid_client"],
    ["Basic", "invalid_client"],
    ["Basic ", "invalid_client"],
    ["Basic app_1:secret", "invalid_client"],
    [`${basic("app_1:secret")}=`, "invalid_client"],
    [basic("app_1:secrets").replace(/=+$/, ""), "invalid_client"],
    [`${basic("app_1:secret")} `, "invalid_client"],
    [`${basic("app_1:secret")}, ${basic("app_2:secret")}`, "invalid_client"],
    [basic("app_1:secret").replace("c", "c\n"), "invalid_client"],
    // YXBwXzE6YQ== is "app_1:a"; its last two characters may not be just any that decode alike
    ["Basic YXBwXzE6YQ==", basicOf("app_1", "a")],
    ["Basic YXBwXzE6YR==", "invalid_client"],
    ["Basic YXBwXzE6YQ=", "invalid_client"],
    ["Basic YXBwXzE6Pz8_", "invalid_client"],
    // no UTF-8, malformed percent-encoding
    [basic("app_1:\xff\xfe", "latin1"), "invalid_client"],
    [basic("app_1:100%"), "invalid_client"],
    [basic("app_1:%zz"), "invalid_client"],
    [basic("app_1:%00"), "invalid_client"],
    [basic("app\u0000:secret"), "invalid_client"],
    [basic("%ff:secret"), "invalid_client"],
    // other schemes
    ["Bearer abc", "invalid_client"],
    ["", "invalid_client"],
    [basic("app_1:secret").replace("Basic ", "Basic"), "invalid_client"],
  ])("by the header %j", (authorization, expected) => {
    expect(credentials(authorization)).toEqual(expected);
  });

  it.each<[Readonly<Record<string, string>>, unknown]>([
    [
      { client_id: "app_1", client_secret: "secret" },
      { authentication: POST, applicationId: "app_1", secret: "secret" },
    ],
    [{ client_id: "app_1" }, { authentication: NONE, applicationId: "app_1", secret: "" }],
    // Without a value is the same as not sent (§3.2)
    [
      { client_id: "app_1", client_secret: "" },
      { authentication: NONE, applicationId: "app_1", secret: "" },
    ],
    [{}, "invalid_request"],
    [{ client_id: "" }, "invalid_request"],
    [{ client_secret: "secret" }, "invalid_request"],
    [{ client_id: "", client_secret: "secret" }, "invalid_request"],
  ])("by the body %j", (body, expected) => {
    expect(credentials(undefined, body)).toEqual(expected);
  });

  it.each<[Readonly<Record<string, string>>, unknown]>([
    [{ client_id: "app_1" }, basicOf("app_1", "secret")],
    [{ client_id: "" }, basicOf("app_1", "secret")],
    [{ client_secret: "" }, basicOf("app_1", "secret")],
    [{ client_id: "app_2" }, "invalid_request"],
    [{ client_id: "APP_1" }, "invalid_request"],
    [{ client_secret: "secret" }, "invalid_request"],
    [{ client_id: "app_1", client_secret: "secret" }, "invalid_request"],
  ])("by the header, with the body %j", (body, expected) => {
    expect(credentials(basic("app_1:secret"), body)).toEqual(expected);
  });
});

describe("grants in our own words", () => {
  it("are those of the contract, in its order", () => {
    const { mapping } = parse(readFileSync("openapi/schemas/TokenRequest.yaml", "utf8")).discriminator;
    expect(GRANT_TYPES).toEqual(Object.keys(mapping));
    expect(GRANT_TYPES).toHaveLength(2);
  });

  it.each<[Body, unknown]>([
    [
      { ...CODE, client_id: "a", code_verifier: "v" } as Body,
      { $case: "authorizationCode", value: { code: "c", redirectUri: "https://app.example/cb", codeVerifier: "v" } },
    ],
    [
      { ...CODE, client_id: "a", code_verifier: "" } as Body,
      { $case: "authorizationCode", value: { code: "c", redirectUri: "https://app.example/cb", codeVerifier: null } },
    ],
    [
      { grant_type: "refresh_token", client_id: "a", refresh_token: "r" },
      { $case: "refreshToken", value: { refreshToken: "r", scopes: [] } },
    ],
    [
      { grant_type: "refresh_token", client_id: "a", refresh_token: "r", scope: "" },
      { $case: "refreshToken", value: { refreshToken: "r", scopes: [] } },
    ],
    [
      { grant_type: "refresh_token", client_id: "a", refresh_token: "r", scope: "openid  email" },
      { $case: "refreshToken", value: { refreshToken: "r", scopes: ["openid", "", "email"] } },
    ],
  ])("%j", (body, grant) => {
    expect(toExchangeTokenRequest(body, undefined).grant).toEqual(grant);
  });

  it("leaves the ID token out when there is none", () => {
    const reply = { accessToken: "a", expiresInSeconds: 60, refreshToken: "r", scopes: ["openid", "email"] };
    const wire = { access_token: "a", token_type: "Bearer", expires_in: 60, refresh_token: "r", scope: "openid email" };
    expect(toTokenResponse({ ...reply, idToken: null })).toEqual(wire);
    expect(toTokenResponse({ ...reply, idToken: "i" })).toEqual({ ...wire, id_token: "i" });
  });
});
