import * as oauth from "oauth4webapi";
import { ApplicationKind } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { Browser, signIn } from "../../support/browser.ts";
import { checkedFetch } from "../../support/checked-fetch.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { applicationRequest, makeWorld, present, REDIRECT_URI, type World } from "../../support/world.ts";

const AFTERWARDS = "http://localhost:9/signed-out";
const options = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, init: object) => checkedFetch(url, init as Parameters<typeof checkedFetch>[1]),
} as const;

/** A library that leaves no check of the specifications out, and does none of the steps by itself. */
describe("oauth4webapi against the whole product", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let server: oauth.AuthorizationServer;

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse, { application: { postLogoutRedirectUris: [AFTERWARDS] } });
      const issuer = new URL(gatehouse.url);
      server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
    });

    /** Sends a person through; what comes back is checked as the library wants it, and can be redeemed. */
    async function authorize(
      application: oauth.Client,
      redirectUri = REDIRECT_URI,
      browser = new Browser(gatehouse.url),
    ) {
      const [verifier, state, nonce] = [
        oauth.generateRandomCodeVerifier(),
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
      ];
      const parameters = new URLSearchParams({
        client_id: application.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "openid email",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        max_age: "900",
        state,
        nonce,
      });
      const { pathname } = new URL(present(server.authorization_endpoint));
      const back = await signIn(browser, `${pathname}?${parameters}`, { email: world.email });
      const answered = oauth.validateAuthResponse(server, application, back, state);
      const redeem = (authentication: oauth.ClientAuth) =>
        oauth.authorizationCodeGrantRequest(
          server,
          application,
          authentication,
          answered,
          redirectUri,
          verifier,
          options,
        );
      return { redeem, nonce };
    }

    type Authentication = readonly [string, () => Promise<readonly [oauth.Client, oauth.ClientAuth, string]>];
    const asWeb = async (make: (secret: string) => oauth.ClientAuth) =>
      [{ client_id: world.application.id }, make(world.application.secret), REDIRECT_URI] as const;

    it.each<Authentication>([
      ["client_secret_basic", () => asWeb(oauth.ClientSecretBasic)],
      ["client_secret_post", () => asWeb(oauth.ClientSecretPost)],
      ["none, as a native application on any port (RFC 8252 §7.3)", asNative],
    ])("signs in, verifies, refreshes and asks who it is: %s", async (_, make) => {
      const [application, authentication, redirectUri] = await make();
      const { redeem, nonce } = await authorize(application, redirectUri);
      const tokens = await oauth.processAuthorizationCodeResponse(server, application, await redeem(authentication), {
        expectedNonce: nonce,
        maxAge: 900,
        requireIdToken: true,
      });
      const { sub } = present(oauth.getValidatedIdTokenClaims(tokens));
      const who = await oauth.userInfoRequest(server, application, tokens.access_token, options);
      const { email } = await oauth.processUserInfoResponse(server, application, sub, who);
      const again = await oauth.processRefreshTokenResponse(
        server,
        application,
        await oauth.refreshTokenGrantRequest(
          server,
          application,
          authentication,
          present(tokens.refresh_token),
          options,
        ),
      );
      expect([sub, email, again.scope]).toEqual([world.personId, world.email, "openid email"]);
      expect([again.refresh_token === tokens.refresh_token, again.access_token === tokens.access_token]).toEqual([
        false,
        false,
      ]);
    });

    async function asNative() {
      const kind = ApplicationKind.NATIVE;
      const redirectUris = [{ uri: "http://127.0.0.1/cb", instanceId: world.instanceId }];
      const request = applicationRequest(world.instanceId, { kind, redirectUris });
      const { application } = await gatehouse.signOn.createApplication(request);
      return [{ client_id: present(application).id }, oauth.None(), "http://127.0.0.1:51777/cb"] as const;
    }

    /** A whole sign-in of the web application. */
    async function tokensOf(application: oauth.Client, browser?: Browser) {
      const { redeem, nonce } = await authorize(application, REDIRECT_URI, browser);
      const authentication = oauth.ClientSecretBasic(world.application.secret);
      const answer = await redeem(authentication);
      const tokens = await oauth.processAuthorizationCodeResponse(server, application, answer, {
        expectedNonce: nonce,
      });
      return { authentication, tokens };
    }

    it("signs a person out by the address in discovery: back with its state, and nothing of the sign-in is left", async () => {
      const application: oauth.Client = { client_id: world.application.id };
      const browser = new Browser(gatehouse.url);
      const { authentication, tokens } = await tokensOf(application, browser);
      const state = oauth.generateRandomState();
      const parameters = new URLSearchParams({
        id_token_hint: present(tokens.id_token),
        post_logout_redirect_uri: AFTERWARDS,
        state,
      });
      const { pathname } = new URL(present(server.end_session_endpoint));
      const { left } = await browser.follow(`${pathname}?${parameters}`);
      expect(left?.href).toBe(`${AFTERWARDS}?${new URLSearchParams({ state })}`);

      const silent = new URLSearchParams({
        client_id: application.client_id,
        redirect_uri: REDIRECT_URI,
        response_type: "code",
        scope: "openid",
        prompt: "none",
        state,
      });
      const back = (await browser.follow(`${new URL(present(server.authorization_endpoint)).pathname}?${silent}`)).left;
      expect(() => oauth.validateAuthResponse(server, application, present(back), state)).toThrow(
        expect.objectContaining({ error: "login_required" }),
      );
      const refreshed = oauth.processRefreshTokenResponse(
        server,
        application,
        await oauth.refreshTokenGrantRequest(
          server,
          application,
          authentication,
          present(tokens.refresh_token),
          options,
        ),
      );
      await expect(refreshed).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    });

    it("asks what a token is worth, and revokes it (RFC 7009, RFC 7662)", async () => {
      const application: oauth.Client = { client_id: world.application.id };
      const { authentication, tokens } = await tokensOf(application);
      const worth = async () =>
        oauth.processIntrospectionResponse(
          server,
          application,
          await oauth.introspectionRequest(server, application, authentication, tokens.access_token, options),
        );
      expect(await worth()).toMatchObject({ active: true, sub: world.personId, scope: "openid email" });
      const revoke = async (token: string) =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(server, application, authentication, token, options),
        );
      await expect(revoke(tokens.access_token)).resolves.toBeUndefined();
      expect(await worth()).toEqual({ active: false });
      const wrong = await oauth.revocationRequest(
        server,
        application,
        oauth.ClientSecretBasic("wrong"),
        tokens.access_token,
        options,
      );
      await expect(oauth.processRevocationResponse(wrong)).rejects.toMatchObject({ status: 401 });
    });

    it("finds the signature of the ID token good, by the published keys", async () => {
      const application: oauth.Client = { client_id: world.application.id };
      const { redeem, nonce } = await authorize(application);
      const answer = await redeem(oauth.ClientSecretPost(world.application.secret));
      await oauth.processAuthorizationCodeResponse(server, application, answer, { expectedNonce: nonce });
      await expect(oauth.validateApplicationLevelSignature(server, answer, options)).resolves.toBeUndefined();
    });

    it("finds an access token well formed (RFC 9068 §4)", async () => {
      const application: oauth.Client = { client_id: world.application.id };
      const { redeem, nonce } = await authorize(application);
      const answer = await redeem(oauth.ClientSecretPost(world.application.secret));
      const tokens = await oauth.processAuthorizationCodeResponse(server, application, answer, {
        expectedNonce: nonce,
      });
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const request = new Request("https://api.example/things", { headers });
      const claims = await oauth.validateJwtAccessToken(server, request, gatehouse.url, options);
      expect(claims).toMatchObject({ sub: world.personId, client_id: world.application.id, scope: "openid email" });
    });

    it("reads a refusal as what it is: invalid_grant for a spent code", async () => {
      const application: oauth.Client = { client_id: world.application.id };
      const authentication = oauth.ClientSecretPost(world.application.secret);
      const { redeem } = await authorize(application);
      await redeem(authentication);
      const again = oauth.processAuthorizationCodeResponse(server, application, await redeem(authentication));
      await expect(again).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    });
  });
});
