import { createHmac } from "node:crypto";
import { newPkce, obtainCode } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { applicationRequest, type World } from "../../support/world.ts";
import { publicApplication } from "../conversations/token/public-application.ts";
import {
  basic,
  codeGrant,
  expectAnswer,
  expectRefusal,
  inBody,
  type Parameters,
  partOf,
  refreshGrant,
  type Tokens,
  userinfo,
} from "../conversations/token/token-kit.ts";
import { describeSignOn, withApplication, withPerson } from "../sign-on-fixture.ts";

const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The best current practice as statements about tokens, one test each; the others are listed where they are shown. */
describeSignOn("RFC 9700 (OAuth 2.0 Security Best Current Practice): tokens", (scene) => {
  const send = (form: Parameters, headers: Readonly<Record<string, string>> = {}) =>
    call(scene().signOn.url, "/auth/token", { form, headers });
  async function signedIn(world: World = scene().world, parameters: Parameters = {}, more: Parameters = {}) {
    const code = await obtainCode(scene().signOn.url, world, parameters);
    const redeem = (as: World = world) => send({ ...codeGrant(code), ...inBody(as), ...more });
    const first = await redeem();
    const refresh = (token: string, parts: Parameters = {}, as: World = world) =>
      send({ ...refreshGrant(token), ...inBody(as), ...parts });
    return { world, code, first, tokens: first.json<Tokens>(), redeem, refresh };
  }
  const statusAtUserinfo = async (tokens: Tokens) => (await userinfo(scene(), tokens)).status;

  it("RFC 9700 statement 4: redirect_uri at the token endpoint must equal that of the authorization request", async () => {
    const { signOn, world } = scene();
    const code = await obtainCode(signOn.url, world);
    const form = { ...codeGrant(code), ...inBody(world) };
    expectRefusal(await send({ ...form, redirect_uri: `${form.redirect_uri}/` }), 400, "invalid_grant");
    expectAnswer(await send(form), 200);
  });

  it("RFC 9700 statement 14: a replayed code revokes access and refresh token; both then fail everywhere", async () => {
    const { world, tokens, redeem, refresh } = await signedIn();
    expectRefusal(await redeem(), 400, "invalid_grant");
    expect(await statusAtUserinfo(tokens)).toBe(401);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    const ask = (token: string) => call(scene().signOn.url, "/auth/introspect", { form: { token, ...inBody(world) } });
    const introspected = await Promise.all([tokens.access_token, tokens.refresh_token].map(ask));
    expect(introspected.map((answer) => answer.json())).toEqual([{ active: false }, { active: false }]);
  });

  it("RFC 9700 statement 15: another application's attempt with a code fails, spends nothing and revokes nothing", async () => {
    const { signOn, world } = scene();
    const other = await withApplication(signOn, world);
    const code = await obtainCode(signOn.url, world);
    expectRefusal(await send({ ...codeGrant(code), ...inBody(other) }), 400, "invalid_grant");
    const tokens = (await send({ ...codeGrant(code), ...inBody(world) })).json<Tokens>();
    expectRefusal(await send({ ...codeGrant(code), ...inBody(other) }), 400, "invalid_grant");
    expect(await statusAtUserinfo(tokens)).toBe(200);
  });

  it("RFC 9700 statement 16: codes expire within ten minutes", async () => {
    const { signOn, world } = scene();
    const code = await obtainCode(signOn.url, world);
    signOn.clock.step(600_000);
    expectRefusal(await send({ ...codeGrant(code), ...inBody(world) }), 400, "invalid_grant");
  });

  it("RFC 9700 statement 18: grant_type password is refused", async () => {
    const form = { grant_type: "password", username: "x", password: "x", ...inBody(scene().world) };
    expectRefusal(await send(form), 400, "unsupported_grant_type");
  });

  it("RFC 9700 statement 21: refresh tokens of public applications are replaced at every use", async () => {
    const { verifier, challenge } = newPkce();
    const world = await publicApplication(scene());
    const asked = { code_challenge: challenge, code_challenge_method: "S256" };
    const { tokens, refresh } = await signedIn(world, asked, { code_verifier: verifier });
    const next = (await refresh(tokens.refresh_token)).json<Tokens>();
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    scene().signOn.clock.step(30_000);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
  });

  it("RFC 9700 statement 22: reuse outside the window revokes the active token of that family, and only of that", async () => {
    const { tokens, refresh } = await signedIn();
    const other = await signedIn();
    const next = (await refresh(tokens.refresh_token)).json<Tokens>();
    scene().signOn.clock.step(30_000);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
    expectRefusal(await refresh(next.refresh_token), 400, "invalid_grant");
    expect([await statusAtUserinfo(next), await statusAtUserinfo(other.tokens)]).toEqual([401, 200]);
  });

  it("RFC 9700 statement 23: a refresh token works for its application only, and never for more than was granted", async () => {
    const { world, tokens, refresh } = await signedIn(undefined, { scope: "openid email" });
    const other = await withApplication(scene().signOn, world);
    expectRefusal(await refresh(tokens.refresh_token, {}, other), 400, "invalid_grant");
    expectRefusal(await refresh(tokens.refresh_token, { scope: "openid email profile" }), 400, "invalid_scope");
    const next = (await refresh(tokens.refresh_token)).json<Tokens>();
    const [before, after] = [tokens, next].map(({ access_token }) => partOf(access_token, 1));
    expect([after?.scope, after?.aud]).toEqual([before?.scope, before?.aud]);
  });

  it("RFC 9700 statement 24: refresh tokens end when idle and at an absolute limit, per application", async () => {
    const lifetimes = { refreshTokenIdleSeconds: 100, refreshTokenAbsoluteSeconds: 150 };
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world, { lifetimes });
    const [idle, used] = [await signedIn(application), await signedIn(application)];
    signOn.clock.step(99_999);
    const next = (await used.refresh(used.tokens.refresh_token)).json<Tokens>();
    signOn.clock.step(1);
    expectRefusal(await idle.refresh(idle.tokens.refresh_token), 400, "invalid_grant");
    signOn.clock.step(50_000);
    expectRefusal(await used.refresh(next.refresh_token), 400, "invalid_grant");
  });

  it("RFC 9700 statement 25: a new password revokes the person's families", async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, "statement-25@harbour.example");
    const { tokens, refresh } = await signedIn(person);
    await signOn.signOn.setPassword({ personId: person.personId, password: "another horse, another battery" });
    expect(await statusAtUserinfo(tokens)).toBe(401);
    expectRefusal(await refresh(tokens.refresh_token), 400, "invalid_grant");
  });

  it("RFC 9700 statement 26: access tokens name their audience", async () => {
    expect(partOf((await signedIn()).tokens.access_token, 1).aud).toBe(scene().signOn.issuer);
  });

  it("RFC 9700 statement 27: ID token and refresh token are no access tokens", async () => {
    const { tokens } = await signedIn();
    const statuses = await Promise.all(
      [tokens.id_token ?? "", tokens.refresh_token].map((access_token) =>
        statusAtUserinfo({ ...tokens, access_token }),
      ),
    );
    expect([partOf(tokens.access_token, 0).typ, ...statuses]).toEqual(["at+jwt", 401, 401]);
  });

  it.each([
    ["/auth/token", refreshGrant("x"), 400],
    ["/auth/revoke", { token: "x" }, 400],
    ["/auth/introspect", { token: "x" }, 401],
  ])(
    "RFC 9700 statement 28: %s asks confidential applications for their secret, given in one way",
    async (path, form, status) => {
      const { id, secret } = scene().world.application;
      const ask = (parameters: Parameters, headers: Readonly<Record<string, string>> = {}) =>
        call(scene().signOn.url, path, { form: { ...form, ...parameters }, headers });
      expectRefusal(await ask({ client_id: id }), status, "invalid_client");
      expectRefusal(await ask({ client_id: id, client_secret: "wrong" }), status, "invalid_client");
      expectRefusal(await ask({}, basic(id, "wrong")), 401, "invalid_client");
      expectRefusal(await ask({ client_id: id, client_secret: secret }, basic(id, secret)), 400, "invalid_request");
    },
  );

  it("RFC 9700 statement 29: no assertion authenticates an application, unsigned or by HMAC with a public key; none is offered (R-X136)", async () => {
    const { url } = scene().signOn;
    const { id } = scene().world.application;
    const { keys } = (await call(url, "/.well-known/jwks.json")).json<{ keys: readonly object[] }>();
    const assertionOf = (alg: string, sign: (text: string) => string) => {
      const claims = { iss: id, sub: id, aud: scene().signOn.issuer, jti: "1", exp: 4_102_444_800 };
      const text = [{ alg }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
      return `${text}.${sign(text)}`;
    };
    const byKey = (text: string) => createHmac("sha256", JSON.stringify(keys[0])).update(text).digest("base64url");
    for (const client_assertion of [assertionOf("none", () => ""), assertionOf("HS256", byKey)]) {
      const asked = { ...refreshGrant("x"), client_id: id, client_assertion, client_assertion_type: JWT_BEARER };
      expectRefusal(await send(asked), 400, "invalid_client");
    }
    const offered = ["client_secret_basic", "client_secret_post", "none"];
    expect((await call(url, "/.well-known/openid-configuration")).json()).toMatchObject({
      token_endpoint_auth_methods_supported: offered,
      revocation_endpoint_auth_methods_supported: offered,
      introspection_endpoint_auth_methods_supported: offered.slice(0, 2),
    });
  });

  it("RFC 9700 statement 30: applications and persons share no id, and ids of applications cannot be chosen", async () => {
    const { signOn, world } = scene();
    const wished = { ...applicationRequest(world.instanceId), id: world.personId, applicationId: world.personId };
    const { application } = await signOn.signOn.createApplication(wished);
    expect(application?.id).toMatch(/^app_/);
    const { tokens } = await signedIn();
    const { sub, client_id } = partOf(tokens.access_token, 1);
    expect([sub, client_id]).toEqual([expect.stringMatching(/^person_/), expect.stringMatching(/^app_/)]);
  });

  it("RFC 9700 statement 33: an access token in the address is none", async () => {
    const { tokens } = await signedIn();
    const address = `/auth/userinfo?access_token=${tokens.access_token}`;
    const answers = [await call(scene().signOn.url, address), await call(scene().signOn.url, address, { form: {} })];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  it("RFC 9700 statement 39: answers about tokens are kept by no cache, refusals included", async () => {
    const { first, redeem } = await signedIn();
    const answers = [first, await redeem()];
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(answers.map(({ headers }) => headers.get("cache-control"))).toEqual(["no-store", "no-store"]);
  });

  it.each(["form", "JSON"])(
    "RFC 9700 statement 40: a parameter given twice in a %s is invalid_request",
    async (kind) => {
      const isForm = kind === "form";
      const body = isForm
        ? "grant_type=refresh_token&refresh_token=x&refresh_token=x"
        : '{"grant_type":"refresh_token","refresh_token":"x","refresh_token":"x"}';
      const headers = { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" };
      expectRefusal(await call(scene().signOn.url, "/auth/token", { body, headers }), 400, "invalid_request");
    },
  );
});
