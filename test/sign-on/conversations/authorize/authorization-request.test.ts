import type { ApplicationId, InstanceId } from "../../../../src/runtime/basis/ids.ts";
import type { Application } from "../../../../src/sign-on/applications/application.ts";
import { parseAuthorizationRequest } from "../../../../src/sign-on/conversations/authorize/authorization-request.ts";
import type { Parameters } from "../../../../src/sign-on/conversations/authorize/parameters.ts";
import { type NamedApplication, proveTarget } from "../../../../src/sign-on/conversations/authorize/proven-target.ts";
import { Refused } from "../../../../src/sign-on/refusals/refused.ts";

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const confidential = {
  id: "app_1" as ApplicationId,
  secretDigest: Buffer.alloc(32),
  scopes: ["openid", "profile", "email"],
  pkceRequired: false,
  grantTypes: ["authorization_code", "refresh_token"],
  kind: "web",
  redirectUris: [{ uri: "https://app.example/cb", instanceId: "instance_1" }],
} as unknown as Application;
const publicApplication: Application = { ...confidential, secretDigest: undefined };
const careful: Application = { ...confidential, pkceRequired: true };
const CONTEXT = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
const PERSON = "person_AqnsKVwhGnkg841xUstKP";
const target = { redirectUri: "https://app.example/cb", instanceId: "instance_1" as InstanceId };

/** Value of a parameter, several for a repeated one, `undefined` to leave it out. */
type Given = Readonly<Record<string, string | readonly string[] | undefined>>;

const USUAL: Given = { response_type: "code", client_id: "app_1", redirect_uri: target.redirectUri, scope: "openid" };

function parse(given: Given, application = confidential, misplaced: readonly string[] = []) {
  const entries = Object.entries({ ...USUAL, ...given }).filter(([, value]) => value !== undefined);
  const parameters = new Map(entries.map(([name, value]) => [name, [value].flat()])) as unknown as Parameters;
  const proven = proveTarget(application as NamedApplication, parameters);
  if (proven === undefined) throw new Error("The redirect URI is not registered.");
  try {
    return parseAuthorizationRequest(parameters, proven, misplaced);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: { error: error.error, description: error.sentence } };
  }
}
const refused = (error: string, words = "") => ({ refused: { error, description: expect.stringContaining(words) } });
const accepted = (more: object = {}) => expect.objectContaining({ request: expect.objectContaining(more) });
const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };

describe("an authorization request (R-S14, R-X11, R-X378, RFC 6749 §4.1.1)", () => {
  it("becomes a value with everything that the sign-in needs later", () => {
    const given = {
      ...pkce,
      scope: "email openid",
      state: "st",
      nonce: "n",
      prompt: "login consent",
      max_age: "60",
      login_hint: "m@x.example",
      response_mode: "form_post",
      ui_locales: "de en",
      id_token_hint: "h.i.t",
      claims: JSON.stringify({
        userinfo: { name: { essential: true }, picture: null },
        id_token: { email: null, sub: { value: PERSON } },
      }),
    };
    expect(parse(given)).toEqual({
      request: {
        applicationId: "app_1",
        ...target,
        scopes: ["openid", "email"],
        state: "st",
        nonce: "n",
        codeChallenge: CHALLENGE,
        prompts: ["login", "consent"],
        maxAgeSeconds: 60,
        loginHint: "m@x.example",
        responseMode: "form_post",
        uiLocales: "de en",
        expectedPersonIds: [PERSON],
        claims: { userinfo: ["name"], idToken: ["email"] },
      },
      idTokenHint: "h.i.t",
    });
  });

  it("needs no more than the four required parameters", () => {
    expect(parse({})).toEqual({
      request: {
        applicationId: "app_1",
        ...target,
        scopes: ["openid"],
        state: undefined,
        nonce: undefined,
        codeChallenge: undefined,
        prompts: [],
        maxAgeSeconds: undefined,
        loginHint: undefined,
        responseMode: "query",
        uiLocales: undefined,
        expectedPersonIds: undefined,
        claims: { userinfo: [], idToken: [] },
      },
      idTokenHint: undefined,
    });
  });

  it.each<[Given, object]>([
    // response_type (§3.1.1, RFC 9700 §2.1.2)
    [{ response_type: undefined }, refused("invalid_request", "response_type")],
    [{ response_type: "" }, refused("invalid_request", "response_type")],
    [{ response_type: "token" }, refused("unsupported_response_type")],
    [{ response_type: "id_token" }, refused("unsupported_response_type")],
    [{ response_type: "code id_token" }, refused("unsupported_response_type")],
    [{ response_type: "code token" }, refused("unsupported_response_type")],
    [{ response_type: "none" }, refused("unsupported_response_type")],
    [{ response_type: "Code" }, refused("unsupported_response_type")],
    [{ response_type: "code " }, refused("unsupported_response_type")],
    // request objects (OIDC Core §6), before anything that they could say otherwise
    [{ request: "eyJhbGciOiJub25lIn0.e30." }, refused("request_not_supported")],
    [{ request: "x", response_type: undefined }, refused("request_not_supported")],
    [{ request: "x".repeat(6_000) }, refused("request_not_supported")],
    [{ request_uri: "https://app.example/r" }, refused("request_uri_not_supported")],
    [{ request_uri: "urn:ietf:params:oauth:request_uri:1", scope: undefined }, refused("request_uri_not_supported")],
    // response_mode
    [{ response_mode: "query" }, accepted({ responseMode: "query" })],
    [{ response_mode: "form_post" }, accepted({ responseMode: "form_post" })],
    [{ response_mode: "fragment" }, refused("invalid_request", "response mode")],
    [{ response_mode: "query.jwt" }, refused("invalid_request", "response mode")],
    [{ response_mode: "Form_Post" }, refused("invalid_request", "response mode")],
    // A browser would change these in a form (R-X107)
    [{ response_mode: "form_post", state: "a\nb" }, refused("invalid_request", "line breaks")],
    [{ response_mode: "form_post", state: "a\r\nb" }, refused("invalid_request", "line breaks")],
    // claims (OIDC Core §5.5, R-X109)
    [{ claims: "{}" }, accepted({ claims: { userinfo: [], idToken: [] }, expectedPersonIds: undefined })],
    [{ claims: '{"userinfo":{"name":{"essential":true}}}' }, accepted({ claims: { userinfo: ["name"], idToken: [] } })],
    [{ claims: "x".repeat(8_193) }, refused("invalid_request", "claims")],
    [{ claims: "{" }, refused("invalid_request", "claims")],
    [{ claims: '{"id_token":{"acr":{"essential":true,"values":["phr"]}}}' }, refused("access_denied", "contexts")],
    [{ claims: '{"id_token":{"acr":{"values":["phr"]}}}' }, accepted()],
    [{ claims: '{"id_token":{"acr":{"essential":true}}}' }, accepted()],
    [{ claims: `{"id_token":{"acr":{"essential":true,"values":["phr","${CONTEXT}"]}}}` }, accepted()],
    [{ claims: '{"id_token":{"sub":{"value":"nobody"}}}' }, accepted({ expectedPersonIds: [] })],
    // registration (OIDC Core §7.2.1)
    [{ registration: "{}" }, refused("registration_not_supported")],
    // scope (R-S8)
    [{ scope: undefined }, refused("invalid_request", "scope")],
    [{ scope: "" }, refused("invalid_request", "scope")],
    [{ scope: "openid address" }, refused("invalid_scope", "Unknown scope: `address`.")],
    [{ scope: "openid  email" }, refused("invalid_scope", "separated by single spaces")],
    [{ scope: " openid" }, refused("invalid_scope", "separated by single spaces")],
    [{ scope: "openid " }, refused("invalid_scope", "separated by single spaces")],
    [{ scope: " " }, refused("invalid_scope", "separated by single spaces")],
    [{ scope: "openid offline_access" }, refused("invalid_scope", "not registered")],
    [{ scope: "profile" }, accepted({ scopes: ["profile"] })],
    [{ scope: "email profile openid" }, accepted({ scopes: ["openid", "profile", "email"] })],
    // PKCE (R-S16, S22)
    [{ ...pkce }, accepted({ codeChallenge: CHALLENGE })],
    [{ code_challenge: CHALLENGE }, refused("invalid_request", "S256")],
    [{ code_challenge: CHALLENGE, code_challenge_method: "plain" }, refused("invalid_request", "S256; it is `plain`")],
    [{ code_challenge: CHALLENGE, code_challenge_method: "s256" }, refused("invalid_request", "S256")],
    [{ code_challenge: CHALLENGE, code_challenge_method: "" }, refused("invalid_request", "S256")],
    [{ code_challenge_method: "S256" }, refused("invalid_request", "without code_challenge")],
    [{ ...pkce, code_challenge: CHALLENGE.slice(1) }, refused("invalid_request", "43 characters")],
    [{ ...pkce, code_challenge: `${CHALLENGE}=` }, refused("invalid_request", "43 characters")],
    [{ ...pkce, code_challenge: `${"a".repeat(42)}~` }, refused("invalid_request", "43 characters")],
    // prompt (OIDC Core §3.1.2.1)
    [{ prompt: "none" }, accepted({ prompts: ["none"] })],
    [{ prompt: "select_account" }, accepted({ prompts: ["select_account"] })],
    [{ prompt: "none login" }, refused("invalid_request", "none")],
    [{ prompt: "consent none" }, refused("invalid_request", "none")],
    [{ prompt: "create" }, refused("invalid_request", "prompt")],
    [{ prompt: "Login" }, refused("invalid_request", "prompt")],
    [{ prompt: "login,consent" }, refused("invalid_request", "prompt")],
    [{ prompt: "constructor" }, refused("invalid_request", "prompt")],
    // max_age
    [{ max_age: "0" }, accepted({ maxAgeSeconds: 0 })],
    [{ max_age: "999999999" }, accepted({ maxAgeSeconds: 999_999_999 })],
    // Longer than any session: no number of seconds is refused that a program may have for "no limit".
    [{ max_age: "2147483647" }, accepted({ maxAgeSeconds: 999_999_999 })],
    [{ max_age: "999999999999999" }, accepted({ maxAgeSeconds: 999_999_999 })],
    [{ max_age: "0000000000000001" }, refused("invalid_request", "max_age")],
    [{ max_age: "-1" }, refused("invalid_request", "max_age")],
    [{ max_age: "1.5" }, refused("invalid_request", "max_age")],
    [{ max_age: "1e3" }, refused("invalid_request", "max_age")],
    [{ max_age: "0x10" }, refused("invalid_request", "max_age")],
    [{ max_age: " 1" }, refused("invalid_request", "max_age")],
    [{ max_age: "١" }, refused("invalid_request", "max_age")],
    [{ max_age: "9".repeat(400) }, refused("invalid_request", "max_age")],
    // Everything else that is opaque stays as it is (S7)
    [{ state: "a\r\nb <\"'>& 🙂" }, accepted({ state: "a\r\nb <\"'>& 🙂" })],
    [{ nonce: " 🙂\t" }, accepted({ nonce: " 🙂\t" })],
  ])("%j", (given, expected) => {
    expect(parse(given)).toEqual(expected);
  });

  it.each([
    ...["nonce", "code_challenge", "code_challenge_method", "prompt", "max_age", "login_hint"],
    ...["response_mode", "request", "request_uri", "registration", "id_token_hint", "claims"],
    ...["acr_values", "ui_locales"],
  ])("takes an empty %s for an absent one (RFC 6749 §3.1)", (name) => {
    expect(parse({ [name]: "" })).toEqual(parse({}));
  });

  it("gives an empty state back as it came (S7)", () => {
    expect(parse({ state: "" })).toEqual(accepted({ state: "" }));
  });

  it.each([
    ...["response_type", "scope", "state", "nonce", "code_challenge", "code_challenge_method", "prompt"],
    ...["max_age", "login_hint", "response_mode", "request", "request_uri", "id_token_hint"],
    ...["ui_locales", "display", "acr_values", "claims", "claims_locales", "registration"],
  ])("refuses a repeated %s, alike or not (S4)", (name) => {
    expect(parse({ ...pkce, [name]: ["code", "code"] })).toEqual(refused("invalid_request", name));
    expect(parse({ ...pkce, [name]: ["", "x"] })).toEqual(refused("invalid_request", name));
  });

  it.each([
    ...["scope", "state", "nonce", "prompt", "login_hint", "response_type", "code_challenge"],
    ...["acr_values", "display", "ui_locales", "claims_locales"],
  ])("refuses a %s of more than 2048 characters (R-X12)", (name) => {
    expect(parse({ [name]: "a".repeat(2_049) })).toEqual(refused("invalid_request", name));
  });

  it.each([
    ["", "a"],
    [" of two UTF-16 units each", "🙂"],
  ])("takes a state, a nonce and a hint of 2048 characters%s (R-X12)", (_, character) => {
    const long = character.repeat(2_048);
    expect(parse({ state: long, nonce: long, login_hint: long })).toEqual(
      accepted({ state: long, nonce: long, loginHint: long }),
    );
  });

  it.each<Given>([
    { utm_source: "x" },
    { "": "x" },
    { toString: "x" },
    { "redirect_uri[]": "https://evil.example" },
    { utm_source: ["x", "y"] },
    { display: "popup", claims_locales: "de", acr_values: "1" },
    { acr_values: "phr phrh" },
    { claims: '{"userinfo":{"picture":{"essential":true},"toString":null}}' },
  ])("ignores unknown and unneeded parameters: %j (S5)", (given) => {
    expect(parse(given)).toEqual(parse({}));
  });

  it.each([
    ["public", publicApplication],
    ["marked so", careful],
  ])("asks an application that is %s for a challenge (R-S16)", (_, application) => {
    expect(parse({}, application)).toEqual(refused("invalid_request", "PKCE"));
    expect(parse({ code_challenge: "" }, application)).toEqual(refused("invalid_request", "PKCE"));
    expect(parse({ ...pkce }, application)).toEqual(accepted({ codeChallenge: CHALLENGE }));
  });

  it("refuses an application that may not use the code grant (RFC 6749 §4.1.2.1 unauthorized_client)", () => {
    const other: Application = { ...confidential, grantTypes: ["refresh_token"] };
    expect(parse({}, other)).toEqual(refused("unauthorized_client"));
    expect(parse({ response_type: "token" }, other)).toEqual(refused("unsupported_response_type"));
  });

  it("refuses a parameter in the address of a POST (R-X106)", () => {
    expect(parse({}, confidential, ["state", "nonce"])).toEqual(
      refused("invalid_request", "state belongs in the body"),
    );
  });

  it("leaves out claims of scopes that the application is not registered for (OIDC Core §5.5.1, R-X109)", () => {
    const claims = '{"userinfo":{"name":{"essential":true},"email":null}}';
    const modest: Application = { ...confidential, scopes: ["openid", "email"] };
    expect(parse({ claims }, modest)).toEqual(accepted({ claims: { userinfo: ["email"], idToken: [] } }));
  });

  it("takes an id_token_hint of 65536 characters and no more (R-X12)", () => {
    expect(parse({ id_token_hint: "h".repeat(65_536) })).toHaveProperty("request");
    expect(parse({ id_token_hint: "h".repeat(65_537) })).toEqual(refused("invalid_request", "id_token_hint"));
  });

  it("brings no answer by form to a private-use address (R-X107)", () => {
    const redirectUri = "com.example.app:/cb";
    const native = {
      ...confidential,
      kind: "native",
      redirectUris: [{ uri: redirectUri, instanceId: target.instanceId }],
    };
    const asked = { ...pkce, redirect_uri: redirectUri, response_mode: "form_post" };
    expect(parse(asked, native as Application)).toEqual(refused("invalid_request", "form_post needs"));
  });

  it("sends a form to a web address whose scheme is in capitals, since schemes have no case (RFC 3986 §3.1)", () => {
    const redirectUri = "HTTPS://app.example/cb";
    const web = { ...confidential, redirectUris: [{ uri: redirectUri, instanceId: target.instanceId }] };
    const asked = { redirect_uri: redirectUri, response_mode: "form_post" };
    expect(parse(asked, web as Application)).toEqual(accepted({ redirectUri, responseMode: "form_post" }));
  });

  it("runs its checks in one order: each mistake is reported when those before it are fixed", () => {
    const mendings: readonly (readonly [Given, string])[] = [
      [{}, "repeated"],
      [{ nonce: "a".repeat(3_000) }, "request"],
      [{ request: undefined }, "request_uri"],
      [{ request_uri: undefined }, "registration"],
      [{ registration: undefined }, "too long"],
      [{ nonce: "n" }, "response_type"],
      [{ response_type: "code" }, "response_mode"],
      [{ response_mode: undefined }, "scope"],
      [{ scope: "openid" }, "challenge"],
      [{ code_challenge_method: "S256" }, "prompt"],
      [{ prompt: "none" }, "max_age"],
      [{ max_age: "1" }, "claims"],
    ];
    const worst: Given = {
      nonce: ["a", "b"],
      request: "x",
      request_uri: "y",
      registration: "z",
      claims: "[]",
      response_type: "token",
      response_mode: "fragment",
      scope: "nothing",
      code_challenge: CHALLENGE,
      prompt: "none login",
      max_age: "soon",
    };
    let given = worst;
    const told = mendings.map(([mending]) => {
      given = { ...given, ...mending };
      const result = parse(given);
      return "refused" in result ? `${result.refused.error}: ${result.refused.description}` : "accepted";
    });
    expect(told).toEqual([
      "invalid_request: The parameter nonce is repeated.",
      "request_not_supported: Request objects are not supported.",
      "request_uri_not_supported: Request objects are not supported.",
      "registration_not_supported: Registration with the request is not supported.",
      "invalid_request: The parameter nonce is longer than 2048 characters.",
      "unsupported_response_type: The response type must be code, not `token`.",
      "invalid_request: The response mode must be query or form_post, not `fragment`.",
      "invalid_scope: Unknown scope: `nothing`.",
      "invalid_request: code_challenge_method must be S256; it is absent.",
      "invalid_request: prompt=none cannot be combined with other values.",
      "invalid_request: max_age must be a number of seconds.",
      "invalid_request: The parameter claims is not a JSON object of claims.",
    ]);
    expect(parse({ ...given, claims: "{}" })).toEqual(accepted());
  });
});
