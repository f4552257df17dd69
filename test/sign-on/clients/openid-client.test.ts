import * as client from "openid-client";
import { ApplicationKind } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { Browser, signIn } from "../../support/browser.ts";
import { checkedFetch } from "../../support/checked-fetch.ts";
import { fieldsOf } from "../../support/form-post.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { applicationRequest, makeWorld, present, REDIRECT_URI, type World } from "../../support/world.ts";

type Parameters = Readonly<Record<string, string>>;
const AFTERWARDS = "http://localhost:9/signed-out";

/** The whole product as an application's developer meets it: an off-the-shelf client that trusts nothing. */
describe("openid-client against the whole product", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let confidential: client.Configuration;

    const configure = (id: string, secret?: string, authentication?: client.ClientAuth) =>
      client.discovery(new URL(gatehouse.url), id, secret, authentication, {
        [client.customFetch]: checkedFetch,
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      });

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse, { application: { postLogoutRedirectUris: [AFTERWARDS] } });
      confidential = await configure(world.application.id, world.application.secret);
    });

    /** The way there and back; what the client then makes of the answer is the test's. */
    async function begin(
      application: client.Configuration,
      parameters: Parameters = {},
      browser = new Browser(gatehouse.url),
    ) {
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const expectedNonce = client.randomNonce();
      const { pathname, search } = client.buildAuthorizationUrl(application, {
        redirect_uri: REDIRECT_URI,
        scope: "openid profile email",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
        nonce: expectedNonce,
        ...parameters,
      });
      const back = await signIn(browser, `${pathname}${search}`, { email: world.email });
      return { back, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
    }

    it.each<[string, (secret: string) => client.ClientAuth]>([
      ["client_secret_basic", client.ClientSecretBasic],
      ["client_secret_post", client.ClientSecretPost],
    ])("signs in with %s, and its own checks of the ID token pass", async (_, authentication) => {
      const { id, secret } = world.application;
      const application = await configure(id, undefined, authentication(secret));
      const { back, checks } = await begin(application);
      const tokens = await client.authorizationCodeGrant(application, back, checks);
      const { sub } = present(tokens.claims());
      const userinfo = await client.fetchUserInfo(application, tokens.access_token, sub);
      expect([sub, userinfo.sub, userinfo.email]).toEqual([world.personId, world.personId, world.email]);
      await expect(client.fetchUserInfo(application, tokens.access_token, "person_x")).rejects.toThrow();
    });

    it("signs in as a public application, without any secret (R-S2, R-S16)", async () => {
      const kind = ApplicationKind.NATIVE;
      const redirectUris = [{ uri: "http://127.0.0.1/cb", instanceId: world.instanceId }];
      const request = applicationRequest(world.instanceId, { kind, redirectUris });
      const { application, secret } = await gatehouse.signOn.createApplication(request);
      const open = await configure(present(application).id, undefined, client.None());
      const { back, checks } = await begin(open, { redirect_uri: "http://127.0.0.1:51004/cb" });
      const tokens = await client.authorizationCodeGrant(open, back, checks);
      expect(secret ?? null).toBeNull();
      expect(back.port).toBe("51004");
      expect(present(tokens.claims()).aud).toBe(present(application).id);
      const fresh = await client.refreshTokenGrant(open, present(tokens.refresh_token));
      expect(fresh.scope).toBe("openid profile email");
    });

    it("proves the age of a sign-in with max_age and auth_time", async () => {
      const before = Math.floor(Date.now() / 1000);
      const { back, checks } = await begin(confidential, { max_age: "600" });
      const tokens = await client.authorizationCodeGrant(confidential, back, { ...checks, maxAge: 600 });
      expect(present(tokens.claims()).auth_time).toBeGreaterThanOrEqual(before);
      expect(present(tokens.claims()).auth_time).toBeLessThanOrEqual(Date.now() / 1000);
    });

    it("goes on silently for a person who is signed in, as the same subject and with the same auth_time", async () => {
      const browser = new Browser(gatehouse.url);
      const first = await begin(confidential, {}, browser);
      const before = await client.authorizationCodeGrant(confidential, first.back, first.checks);
      const second = await begin(confidential, { prompt: "none" }, browser);
      const after = await client.authorizationCodeGrant(confidential, second.back, second.checks);
      expect(after.claims()?.auth_time).toBe(before.claims()?.auth_time);
      expect(after.claims()?.sub).toBe(before.claims()?.sub);
    });

    it("signs a person out: its address leads back with its state, and session and refresh token are invalid", async () => {
      const browser = new Browser(gatehouse.url);
      const { back, checks } = await begin(confidential, {}, browser);
      const tokens = await client.authorizationCodeGrant(confidential, back, checks);
      const state = client.randomState();
      const { pathname, search } = client.buildEndSessionUrl(confidential, {
        id_token_hint: present(tokens.id_token),
        post_logout_redirect_uri: AFTERWARDS,
        state,
      });
      const { left } = await browser.follow(`${pathname}${search}`);
      expect(left?.href).toBe(`${AFTERWARDS}?${new URLSearchParams({ state })}`);
      const silent = await begin(confidential, { prompt: "none" }, browser);
      const answer = client.authorizationCodeGrant(confidential, silent.back, silent.checks);
      await expect(answer).rejects.toMatchObject({ error: "login_required" });
      const refreshed = client.refreshTokenGrant(confidential, present(tokens.refresh_token));
      await expect(refreshed).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    });

    it("asks what a token is worth, and revokes it (RFC 7009, RFC 7662)", async () => {
      const { back, checks } = await begin(confidential);
      const tokens = await client.authorizationCodeGrant(confidential, back, checks);
      const worth = () =>
        Promise.all(
          [tokens.access_token, present(tokens.refresh_token)].map((token) =>
            client.tokenIntrospection(confidential, token),
          ),
        );
      const [access, refresh] = await worth();
      expect(access).toMatchObject({ active: true, sub: world.personId, client_id: world.application.id });
      expect(refresh).toMatchObject({ active: true, scope: "openid profile email" });
      await client.tokenRevocation(confidential, present(tokens.refresh_token));
      expect(await worth()).toEqual([{ active: false }, { active: false }]);
      await expect(client.tokenRevocation(confidential, "unknown")).resolves.toBeUndefined();
    });

    it("reads an answer that the browser posts (OAuth 2.0 Form Post Response Mode)", async () => {
      const browser = new Browser(gatehouse.url);
      await begin(confidential, {}, browser);
      const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
      const { pathname, search } = client.buildAuthorizationUrl(confidential, {
        redirect_uri: REDIRECT_URI,
        scope: "openid",
        response_mode: "form_post",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
      });
      const { action, fields } = fieldsOf((await browser.open(`${pathname}${search}`)).text);
      const posted = new Request(action, { method: "POST", body: new URLSearchParams([...fields]) });
      const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(confidential, posted, checks);
      expect(tokens.claims()?.sub).toBe(world.personId);
    });

    it("gets an error that it understands: login_required", async () => {
      const { back, checks } = await begin(confidential, { prompt: "none" });
      const answer = client.authorizationCodeGrant(confidential, back, checks);
      await expect(answer).rejects.toMatchObject({ error: "login_required", error_description: expect.any(String) });
    });

    it.each<[string, (back: URL) => void]>([
      ["another state", (back) => back.searchParams.set("state", "another")],
      ["another issuer (RFC 9207)", (back) => back.searchParams.set("iss", "https://evil.example")],
      ["no issuer", (back) => back.searchParams.delete("iss")],
      ["another code", (back) => back.searchParams.set("code", "another")],
      ["its code twice", (back) => back.searchParams.append("code", "another")],
    ])("notices an answer with %s", async (_, spoil) => {
      const { back, checks } = await begin(confidential);
      const spoilt = new URL(back);
      spoil(spoilt);
      await expect(client.authorizationCodeGrant(confidential, spoilt, checks)).rejects.toThrow();
      await expect(client.authorizationCodeGrant(confidential, back, checks)).resolves.toBeDefined();
    });

    it.each<[string, object]>([
      ["nonce", { expectedNonce: "another" }],
      ["verifier", { pkceCodeVerifier: client.randomPKCECodeVerifier() }],
    ])("notices another %s", async (_, change) => {
      const { back, checks } = await begin(confidential);
      await expect(client.authorizationCodeGrant(confidential, back, { ...checks, ...change })).rejects.toThrow();
    });

    it("narrows the scope of a refresh, and is refused more (RFC 6749 §6)", async () => {
      const { back, checks } = await begin(confidential, { scope: "openid email" });
      const tokens = await client.authorizationCodeGrant(confidential, back, checks);
      const narrow = await client.refreshTokenGrant(confidential, present(tokens.refresh_token), { scope: "openid" });
      const wide = client.refreshTokenGrant(confidential, present(narrow.refresh_token), { scope: "openid profile" });
      expect(narrow.scope).toBe("openid");
      await expect(wide).rejects.toMatchObject({ error: "invalid_scope", status: 400 });
    });
  });
});
