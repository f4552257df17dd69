import { decodeProtectedHeader } from "jose";
import { Browser, newPkce } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import type { World } from "../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../sign-on-fixture.ts";
import { type ResponseMode, relyingParty } from "./relying-party.ts";

const PROFILE = ["name", "given_name", "family_name"];

/**
 * One test for each module of the Basic plan, by the module's name; the Form Post plan has the same ones. What a module
 * asks is described in the conformance suite's own description of it.
 */
export function describeBasicModules(plan: string, mode: ResponseMode): void {
  describeSignOn(plan, (scene) => {
    const rp = relyingParty(scene, mode);
    let people = 0;
    /** Somebody new, in a browser without any cookie. */
    async function someone(): Promise<{ world: World; browser: Browser }> {
      const { signOn, world } = scene();
      const person = await withPerson(signOn, world, `module${++people}@harbour.example`);
      return { world: person, browser: new Browser(signOn.url) };
    }
    const configuration = async () =>
      (await call(scene().signOn.url, "/.well-known/openid-configuration")).json<Record<string, readonly string[]>>();
    const userinfoOf = async (accessToken: string) =>
      (await rp.userinfo(accessToken)).json<Readonly<Record<string, unknown>>>();
    /** The request succeeds with this in it. */
    async function expectSuccess(more: Readonly<Record<string, string>>) {
      const { world, browser } = await someone();
      const { parameters, tokens, claims } = await rp.signIn(browser, world, more);
      expect(parameters).toMatchObject({ state: "st-4711", iss: scene().signOn.issuer });
      expect(claims.sub).toBe(world.personId);
      return { world, browser, tokens, claims };
    }

    it("oidcc-server", async () => {
      const { world, browser } = await someone();
      const { parameters, tokens, claims } = await rp.signIn(browser, world, {
        nonce: "qnVOWxS0FK",
        state: "s".repeat(10),
      });
      expect(parameters.state).toBe("s".repeat(10));
      expect(claims).toMatchObject({ nonce: "qnVOWxS0FK", sub: world.personId, iss: scene().signOn.issuer });
      expect(decodeProtectedHeader(tokens.id_token)).toMatchObject({ alg: "RS256", kid: expect.any(String) });
      expect(await userinfoOf(tokens.access_token)).toMatchObject({ sub: claims.sub });
    });

    it("oidcc-response-type-missing", async () => {
      const { world, browser } = await someone();
      const { parameters } = await rp.authorize(browser, world, { response_type: undefined });
      expect(parameters).toMatchObject({ error: "invalid_request", state: "st-4711" });
      expect(parameters).not.toHaveProperty("code");
    });

    it("oidcc-idtoken-signature", async () => {
      const { tokens } = await expectSuccess({ nonce: "n" });
      const { kid } = decodeProtectedHeader(tokens.id_token);
      const { keys } = (await call(scene().signOn.url, "/.well-known/jwks.json")).json<{
        keys: { kid: string; alg: string }[];
      }>();
      expect(keys.filter((key) => key.kid === kid).map(({ alg }) => alg)).toEqual(["RS256"]);
    });

    it("oidcc-idtoken-unsigned", async () => {
      expect((await configuration()).id_token_signing_alg_values_supported).toEqual(["RS256"]);
      const { tokens } = await expectSuccess({ nonce: "n" });
      expect(tokens.id_token.split(".")[2]).toMatch(/^[\w-]{342}$/);
    });

    it("oidcc-userinfo-get", async () => {
      const { world, tokens } = await expectSuccess({});
      const answer = await rp.userinfo(tokens.access_token);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.json()).toMatchObject({ sub: world.personId });
    });

    it("oidcc-userinfo-post-header", async () => {
      const { world, tokens } = await expectSuccess({});
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const answer = await call(scene().signOn.url, "/auth/userinfo", { method: "POST", headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.json()).toMatchObject({ sub: world.personId });
    });

    it("oidcc-userinfo-post-body", async () => {
      const { world, tokens } = await expectSuccess({});
      const form = { access_token: tokens.access_token };
      const answer = await call(scene().signOn.url, "/auth/userinfo", { form });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer.json()).toMatchObject({ sub: world.personId });
    });

    it("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
      expect((await expectSuccess({})).claims).not.toHaveProperty("nonce");
    });

    it("oidcc-scope-profile", async () => {
      const { tokens } = await expectSuccess({ scope: "openid profile" });
      const returned = await userinfoOf(tokens.access_token);
      expect(PROFILE.map((name) => returned[name])).toEqual(["Tomas Berg", "Tomas", "Berg"]);
      expect(Object.values(returned).filter((value) => value === null || value === "")).toEqual([]);
    });

    it("oidcc-scope-email", async () => {
      const { world, tokens } = await expectSuccess({ scope: "openid email" });
      expect(await userinfoOf(tokens.access_token)).toMatchObject({ email: world.email, email_verified: true });
    });

    it.each([
      ["oidcc-scope-address", "openid address", "address"],
      ["oidcc-scope-phone", "openid phone", "phone"],
      ["oidcc-scope-all", "openid profile email address phone", "phone"],
    ])("%s (skipped by the suite, since scopes_supported lacks it)", async (_, scope, lacking) => {
      expect((await configuration()).scopes_supported).not.toContain(lacking);
      const { world, browser } = await someone();
      expect((await rp.authorize(browser, world, { scope })).parameters).toMatchObject({ error: "invalid_scope" });
    });

    it("oidcc-alternate-happy-flow", async () => {
      const { tokens } = await expectSuccess({ scope: "email openid profile" });
      expect(await userinfoOf(tokens.access_token)).toMatchObject({ name: "Tomas Berg", email: expect.any(String) });
    });

    it.each([
      ["oidcc-display-page", { display: "page" }],
      ["oidcc-display-popup", { display: "popup" }],
      ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
      ["oidcc-ui-locales", { ui_locales: "se" }],
      ["oidcc-claims-locales", { claims_locales: "se" }],
    ])("%s", async (_, more) => {
      const { tokens } = await expectSuccess(more as Record<string, string>);
      expect(tokens.access_token).not.toBe("");
    });

    it("oidcc-prompt-login", async () => {
      const { world, browser, claims } = await expectSuccess({});
      scene().signOn.clock.step(2_000);
      const second = await rp.signIn(browser, world, { prompt: "login" });
      expect(second.pages).toContain("/auth/login");
      expect(second.claims.sub).toBe(claims.sub);
      expect(Number(second.claims.auth_time) - Number(claims.auth_time)).toBe(2);
    });

    it("oidcc-prompt-none-not-logged-in", async () => {
      const { world, browser } = await someone();
      const state = "s".repeat(128);
      const { parameters, pages } = await rp.authorize(browser, world, { prompt: "none", state });
      expect(pages).toEqual([]);
      expect(parameters).toMatchObject({ error: "login_required", state });
      expect(parameters).not.toHaveProperty("code");
    });

    it("oidcc-prompt-none-logged-in", async () => {
      const { world, browser, claims } = await expectSuccess({});
      scene().signOn.clock.step(2_000);
      const second = await rp.signIn(browser, world, { prompt: "none" });
      expect(second.pages).toEqual([]);
      expect(second.claims).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time });
    });

    it("oidcc-max-age-1", async () => {
      const { world, browser, claims } = await expectSuccess({});
      scene().signOn.clock.step(2_000);
      const second = await rp.signIn(browser, world, { max_age: "1" });
      expect(second.pages).toContain("/auth/login");
      expect(Number(second.claims.auth_time)).toBeGreaterThan(Number(claims.auth_time));
      expect(Number(second.claims.iat) - Number(second.claims.auth_time)).toBeLessThanOrEqual(1);
    });

    it("oidcc-max-age-10000", async () => {
      const { world, browser, claims } = await expectSuccess({ max_age: "15000" });
      scene().signOn.clock.step(2_000);
      const second = await rp.signIn(browser, world, { max_age: "10000" });
      expect(second.pages).toEqual([]);
      expect(claims.auth_time).toEqual(expect.any(Number));
      expect(second.claims.auth_time).toBe(claims.auth_time);
    });

    it("oidcc-id-token-hint", async () => {
      const { world, browser, tokens, claims } = await expectSuccess({});
      const second = await rp.signIn(browser, world, { prompt: "none", id_token_hint: tokens.id_token });
      expect(second.claims.sub).toBe(claims.sub);
    });

    it("oidcc-login-hint", async () => {
      const { world, browser } = await someone();
      const { answer } = await browser.follow(rp.pathOf(world, { login_hint: "bob@op.example" }));
      expect(answer.text).toContain('value="bob@op.example"');
      const { claims } = await rp.signIn(browser, world, { login_hint: "bob@op.example" });
      expect(claims.sub).toBe(world.personId);
    });

    it("oidcc-ensure-request-with-acr-values-succeeds", async () => {
      const offered = (await configuration()).acr_values_supported ?? [];
      const { claims } = await expectSuccess({ acr_values: offered.join(" ") });
      expect(offered).toContain(claims.acr);
      expect((await expectSuccess({ acr_values: "1 2" })).claims).toHaveProperty("acr");
    });

    it("oidcc-codereuse", async () => {
      const { world, browser } = await someone();
      const { parameters } = await rp.authorize(browser, world);
      expect((await rp.redeem(world, parameters.code)).status).toBe(200);
      const second = await rp.redeem(world, parameters.code);
      expect([second.status, second.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
    });

    it("oidcc-codereuse-30seconds", async () => {
      const { world, browser } = await someone();
      const { parameters } = await rp.authorize(browser, world);
      const first = await rp.redeem(world, parameters.code);
      scene().signOn.clock.step(30_000);
      const second = await rp.redeem(world, parameters.code);
      expect([second.status, second.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
      expect((await rp.userinfo(first.json<{ access_token: string }>().access_token)).status).toBe(401);
    });

    it("oidcc-ensure-registered-redirect-uri", async () => {
      const { world, browser } = await someone();
      const answer = await browser.open(rp.pathOf(world, { redirect_uri: `${rp.redirectUri}/${"x".repeat(10)}` }));
      expect(answer.status).toBe(400);
      expect(answer.headers.get("location")).toBeNull();
      expect(answer.text).not.toContain("<form");
    });

    it("oidcc-ensure-post-request-succeeds", async () => {
      const { world, browser } = await someone();
      const { parameters } = await rp.authorizeByPost(browser, world, { nonce: "n-posted" });
      const tokens = (await rp.redeem(world, parameters.code)).json<{ id_token: string }>();
      expect(await rp.verified(tokens.id_token, world)).toMatchObject({ nonce: "n-posted", sub: world.personId });
    });

    it("oidcc-server-client-secret-post", async () => {
      const { world, browser } = await someone();
      const { parameters } = await rp.authorize(browser, world, { nonce: "n" });
      const { id: client_id, secret: client_secret } = world.application;
      const form = { grant_type: "authorization_code", code: parameters.code ?? "", redirect_uri: rp.redirectUri };
      const answer = await call(scene().signOn.url, "/auth/token", { form: { ...form, client_id, client_secret } });
      const claims = await rp.verified(answer.json<{ id_token: string }>().id_token, world);
      expect(claims).toMatchObject({ nonce: "n", sub: world.personId });
    });

    it("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported", async () => {
      const { world, browser } = await someone();
      const { parameters, pages } = await rp.authorize(browser, world, {
        request_uri: "https://rp.example/request.jwt",
      });
      expect(parameters).toMatchObject({ error: "request_uri_not_supported", state: "st-4711" });
      expect(pages).toEqual([]);
    });

    it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
      const { world, browser } = await someone();
      const payload = Buffer.from(JSON.stringify({ state: "from the object" })).toString("base64url");
      const request = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
      const { parameters } = await rp.authorize(browser, world, { request });
      expect(parameters).toMatchObject({ error: "request_not_supported", state: "st-4711" });
    });

    it("oidcc-claims-essential", async () => {
      const { tokens, claims } = await expectSuccess({ claims: '{"userinfo":{"name":{"essential":true}}}' });
      expect(await userinfoOf(tokens.access_token)).toMatchObject({ name: "Tomas Berg" });
      expect(claims).not.toHaveProperty("name");
    });

    it("oidcc-ensure-request-object-with-redirect-uri", async () => {
      const { world, browser } = await someone();
      const payload = Buffer.from(JSON.stringify({ redirect_uri: rp.redirectUri })).toString("base64url");
      const request = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
      const answer = await browser.open(rp.pathOf(world, { request, redirect_uri: `${rp.redirectUri}/bad` }));
      expect(answer.status).toBe(400);
      expect(answer.headers.get("location")).toBeNull();
    });

    it("oidcc-refresh-token", async () => {
      const { world, browser } = await someone();
      const scope = "openid offline_access";
      const { tokens } = await rp.signIn(browser, world, { scope, prompt: "consent" });
      const refreshed = await rp.refresh(world, tokens.refresh_token, { scope });
      const next = refreshed.json<typeof tokens & { readonly token_type: string; readonly scope: string }>();
      expect(refreshed.status).toBe(200);
      expect(refreshed.headers.get("cache-control")).toBe("no-store");
      expect([next.token_type, next.scope]).toEqual(["Bearer", scope]);
      // The module judges an ID token where there is one; with us there is none (R-S10).
      expect(next).not.toHaveProperty("id_token");
      expect(next.access_token).not.toBe(tokens.access_token);
      expect(await userinfoOf(next.access_token)).toMatchObject({ sub: world.personId });
      const other = await withApplication(scene().signOn, world);
      const stolen = await rp.refresh(other, next.refresh_token);
      expect([stolen.status, stolen.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
    });

    it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
      const { world, browser } = await someone();
      const { challenge, verifier } = newPkce();
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const { parameters } = await rp.authorize(browser, world, pkce);
      const without = await rp.redeem(world, parameters.code);
      const answer = await rp.redeem(world, parameters.code, { code_verifier: verifier });
      expect([without.status, answer.status]).toEqual([400, 200]);
    });
  });
}
