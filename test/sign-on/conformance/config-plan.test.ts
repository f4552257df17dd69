import { call } from "../../support/http.ts";
import { describeSignOn } from "../sign-on-fixture.ts";

const DISCOVERY = "/.well-known/openid-configuration";
/** OpenID Connect Discovery 1.0 §3, RFC 8414 §2, RFC 9207 §3; RP-Initiated Logout §2.1. Others would be a warning of the suite. */
const REGISTERED = new Set([
  ...["issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "end_session_endpoint"],
  ...["revocation_endpoint", "revocation_endpoint_auth_methods_supported", "introspection_endpoint"],
  ...["introspection_endpoint_auth_methods_supported", "scopes_supported", "response_types_supported"],
  ...["response_modes_supported", "grant_types_supported", "acr_values_supported", "subject_types_supported"],
  ...["id_token_signing_alg_values_supported", "token_endpoint_auth_methods_supported", "display_values_supported"],
  ...["claim_types_supported", "claims_supported", "claims_parameter_supported", "request_parameter_supported"],
  ...["request_uri_parameter_supported", "ui_locales_supported", "code_challenge_methods_supported"],
  ...["prompt_values_supported", "authorization_response_iss_parameter_supported"],
]);

describeSignOn(
  "oidcc-config-certification-test-plan",
  (scene) => {
    it("oidcc-discovery-endpoint-verification", async () => {
      const { signOn } = scene();
      const answer = await call(signOn.url, DISCOVERY);
      const metadata = answer.json<Readonly<Record<string, unknown>>>();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(`${metadata.issuer}${DISCOVERY}`).toBe(`https://sign-on.example${DISCOVERY}`);
      const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
      expect(endpoints.length).toBeGreaterThanOrEqual(4);
      expect(endpoints.filter(([, value]) => !String(value).startsWith("https://sign-on.example/"))).toEqual([]);
      expect(metadata).toMatchObject({
        scopes_supported: expect.arrayContaining(["openid"]),
        response_types_supported: expect.arrayContaining(["code"]),
        subject_types_supported: expect.arrayContaining(["public"]),
        id_token_signing_alg_values_supported: expect.arrayContaining(["RS256"]),
        claims_supported: expect.arrayContaining(["sub", "name"]),
        grant_types_supported: expect.arrayContaining(["authorization_code"]),
        code_challenge_methods_supported: ["S256"],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: true,
      });
      expect(Object.keys(metadata).filter((name) => !REGISTERED.has(name))).toEqual([]);
      const { keys } = (await call(signOn.url, "/.well-known/jwks.json")).json<{ keys: Record<string, unknown>[] }>();
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.flatMap(Object.keys).filter((name) => ["d", "p", "q", "dp", "dq", "qi", "k"].includes(name))).toEqual(
        [],
      );
    });
  },
  { issuer: "https://sign-on.example" },
);
