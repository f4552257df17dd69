import type { GetJwksResponse } from "../../../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { toJwks, toOpenidConfiguration } from "../../../../src/sign-on/conversations/discovery/discovery-wire.ts";

const ISSUER = "https://sign-on.example";

describe("the discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2)", () => {
  const document = toOpenidConfiguration(ISSUER, ["authorization_code", "refresh_token"], ["en", "de"]);

  it("has its addresses at the issuer", () => {
    expect(document).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth/authorize`,
      token_endpoint: `${ISSUER}/auth/token`,
      userinfo_endpoint: `${ISSUER}/auth/userinfo`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    });
  });

  it("says what is offered, and false of what defaults to true", () => {
    expect(document).toMatchObject({
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: ["openid", "profile", "email", "offline_access"],
      prompt_values_supported: ["none", "login", "consent", "select_account"],
      ui_locales_supported: ["en", "de"],
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it("names nothing that is not built yet", () => {
    const names = Object.keys(document).filter((name) =>
      /endpoint$|dpop|registration|logout|mtls|encryption/.test(name),
    );
    expect(names).toEqual([
      "authorization_endpoint",
      "token_endpoint",
      "userinfo_endpoint",
      "revocation_endpoint",
      "introspection_endpoint",
      "end_session_endpoint",
    ]);
  });
});

describe("the key set (RFC 7517)", () => {
  it("has the public members of each kind of key", () => {
    const reply: GetJwksResponse = {
      maxAgeSeconds: 300,
      keys: [
        { keyId: "rs256-a", algorithm: "RS256", material: { $case: "rsa", value: { n: "n", e: "AQAB" } } },
        { keyId: "es256-b", algorithm: "ES256", material: { $case: "ec", value: { crv: "P-256", x: "x", y: "y" } } },
      ],
    };
    expect(toJwks(reply)).toEqual({
      keys: [
        { kty: "RSA", kid: "rs256-a", use: "sig", alg: "RS256", n: "n", e: "AQAB" },
        { kty: "EC", kid: "es256-b", use: "sig", alg: "ES256", crv: "P-256", x: "x", y: "y" },
      ],
    });
  });
});
