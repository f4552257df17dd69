import { SigningKeysService } from "../../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { keySchedule } from "../../../src/sign-on/signing-keys/key-schedule.ts";
import { authorizePath } from "../../support/browser.ts";
import { isSignedIn, logoutPath, POST_LOGOUT_URI, signedInBrowser } from "../conversations/logout/logout-kit.ts";
import { describeSignOn, withApplication } from "../sign-on-fixture.ts";
import { DAY, HOUR, openKeys } from "../signing-keys/keys-fixture.ts";

const SETTINGS = {
  "jwks-max-age-seconds": 300,
  "signing-key-rotation-days": 1,
  "signing-key-publish-minutes": 2,
  "signing-key-retiring-hours": 25,
};
/** Longer than a key that is retiring stays published. */
const SESSION_MINUTES = 7 * 24 * 60;

describeSignOn(
  "an ID token whose key was retired by the schedule, as a hint",
  (scene) => {
    const kidOf = (token: string): string =>
      JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
    const rotation = () =>
      openKeys(scene().signOn.opened, {
        clock: scene().signOn.clock,
        schedule: keySchedule(SETTINGS),
        algorithms: ["RS256", "ES256"],
      });
    /** A person who signed in with the keys of then, and goes on with the session. */
    async function signedIn() {
      const { signOn, world } = scene();
      const own = await withApplication(signOn, world, { postLogoutRedirectUris: [POST_LOGOUT_URI] });
      const { browser, tokens } = await signedInBrowser(signOn, own);
      const hint = { id_token_hint: tokens.id_token };
      const key = async () => (await rotation().repository.find(kidOf(tokens.id_token)))?.state;
      return { own, browser, hint, key, keyId: kidOf(tokens.id_token) };
    }
    async function afterRotation(): Promise<void> {
      for (const ms of [0, DAY + HOUR, 25 * HOUR]) {
        scene().signOn.clock.step(ms);
        await rotation().keep();
      }
    }

    it("ends its session without a question, and leads back (RP-Initiated Logout §2, R-X116)", async () => {
      const { own, browser, hint, key } = await signedIn();
      await afterRotation();
      expect(await key()).toBe("retired");
      expect(await isSignedIn(browser, own)).toBe(true);
      const { left } = await browser.follow(logoutPath({ ...hint, post_logout_redirect_uri: POST_LOGOUT_URI }));
      expect(left?.href).toBe(POST_LOGOUT_URI);
      expect(await isSignedIn(browser, own)).toBe(false);
    });

    it("names the person of a silent request (OIDC Core §3.1.2.1, R-X108)", async () => {
      const { own, browser, hint, key } = await signedIn();
      await afterRotation();
      expect(await key()).toBe("retired");
      const { left } = await browser.follow(authorizePath(own, { ...hint, prompt: "none" }));
      expect(left?.searchParams.get("error")).toBeNull();
      expect(left?.searchParams.get("code")).toMatch(/^[\w-]{64}$/);
    });

    it("is no access token, and is not published (S32, S33)", async () => {
      const { signOn } = scene();
      const { keyId, hint } = await signedIn();
      await afterRotation();
      const jwks = await fetch(new URL("/.well-known/jwks.json", signOn.url));
      expect(((await jwks.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)).not.toContain(keyId);
      const headers = { authorization: `Bearer ${hint.id_token_hint}` };
      expect((await fetch(new URL("/auth/userinfo", signOn.url), { headers })).status).toBe(401);
    });

    it("is refused when the key was revoked, and ends nothing (R-X104, R-X116)", async () => {
      const { own, browser, hint, keyId } = await signedIn();
      await scene().signOn.as("operator", SigningKeysService).revokeSigningKey({ keyId, emergency: "leaked" });
      const { answer } = await browser.follow(logoutPath(hint));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("We do not recognise this request to sign out");
      expect(await isSignedIn(browser, own)).toBe(true);
    });
  },
  { settings: { ...SETTINGS, "session-absolute-minutes": SESSION_MINUTES, "session-idle-minutes": SESSION_MINUTES } },
);
