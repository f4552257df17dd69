import { createHmac } from "node:crypto";
import type { components } from "../../../generated/types/sign-on.ts";
import type { Browser } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import {
  isSignedIn,
  logoutPath,
  POST_LOGOUT_URI,
  signedInBrowser,
  type Tokens,
} from "../conversations/logout/logout-kit.ts";
import { describeSignOn } from "../sign-on-fixture.ts";

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const partsOf = (token: string) => {
  const [header = "", claims = "", signature = ""] = token.split(".");
  return { header, claims, signature };
};

/**
 * The certification plan for RP-initiated logout of the OpenID conformance suite
 * (oidcc-rp-initiated-logout-certification-test-plan), module by module. The suite looks at screenshots where no redirect may follow; here
 * the page is named.
 */
describeSignOn(
  "the conformance modules of RP-initiated logout (R-S20)",
  (scene) => {
    /** A whole sign-in, then a request for sign-out made of what it gave. */
    async function logout(
      parametersOf: (tokens: Tokens, state: string) => Readonly<Record<string, string | undefined>>,
    ) {
      const { signOn, world } = scene();
      const { browser, tokens } = await signedInBrowser(signOn, world);
      const state = "x".repeat(128);
      const end = await browser.follow(logoutPath(parametersOf(tokens, state)));
      return { browser, state, ...end };
    }
    const whole = ({ id_token }: Tokens, state: string) => ({
      id_token_hint: id_token,
      post_logout_redirect_uri: POST_LOGOUT_URI,
      state,
    });
    const stillSignedIn = (browser: Browser) => isSignedIn(browser, scene().world);

    it("oidcc-rp-initiated-logout-discovery-endpoint-verification", async () => {
      const { signOn } = scene();
      const document = (await call(signOn.url, "/.well-known/openid-configuration")).json<
        components["schemas"]["OpenidConfiguration"]
      >();
      const endpoints = Object.entries(document).filter(([name]) => name.endsWith("_endpoint"));
      expect(endpoints.filter(([, address]) => !String(address).startsWith("https://"))).toEqual([]);
      expect(document.end_session_endpoint).toBe("https://sign-on.example/auth/logout");
    });

    it("oidcc-rp-initiated-logout", async () => {
      const { browser, left, state } = await logout(whole);
      expect(left?.href).toBe(`${POST_LOGOUT_URI}?state=${state}`);
      expect(await stillSignedIn(browser)).toBe(false);
    });

    it("oidcc-rp-initiated-logout-bad-post-logout-redirect-uri", async () => {
      const { browser, left, answer } = await logout((tokens, state) => ({
        ...whole(tokens, state),
        post_logout_redirect_uri: "https://payroll.example/elsewhere",
      }));
      expect(left).toBeUndefined();
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("It is not clear where to send you afterwards");
      expect(await stillSignedIn(browser)).toBe(true);
    });

    it("oidcc-rp-initiated-logout-modified-id-token-hint", async () => {
      const { browser, left, answer } = await logout((tokens, state) => {
        const { claims } = partsOf(tokens.id_token);
        return { ...whole(tokens, state), id_token_hint: `${encode({ alg: "none", typ: "JWT" })}.${claims}.` };
      });
      expect(left).toBeUndefined();
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("We do not recognise this request to sign out");
      expect(await stillSignedIn(browser)).toBe(true);
    });

    it("oidcc-rp-initiated-logout-no-id-token-hint", async () => {
      const { browser, left, answer } = await logout((tokens, state) => ({
        ...whole(tokens, state),
        id_token_hint: undefined,
      }));
      expect(left).toBeUndefined();
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("It named an address, but not itself.");
      expect(await stillSignedIn(browser)).toBe(true);
    });

    it("oidcc-rp-initiated-logout-no-params", async () => {
      const { browser, left, path, answer } = await logout(() => ({}));
      expect(left).toBeUndefined();
      expect(path).toBe("/auth/sign-out");
      const done = await browser.submit(answer, {});
      expect(done.path).toBe("/auth/signed-out");
      expect(done.answer.text).toContain("You are signed out");
      expect(await stillSignedIn(browser)).toBe(false);
    });

    it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri", async () => {
      const { browser, left, path, answer } = await logout((tokens, state) => ({
        ...whole(tokens, state),
        post_logout_redirect_uri: undefined,
      }));
      expect(left).toBeUndefined();
      expect(path).toMatch(/^\/auth\/signed-out\?application=app_\w+$/);
      expect(answer.text).toContain("You are signed out");
      expect(await stillSignedIn(browser)).toBe(false);
    });

    it("oidcc-rp-initiated-logout-no-state", async () => {
      const { browser, left } = await logout((tokens, state) => ({ ...whole(tokens, state), state: undefined }));
      expect(left?.href).toBe(POST_LOGOUT_URI);
      expect(await stillSignedIn(browser)).toBe(false);
    });

    it("oidcc-rp-initiated-logout-only-state", async () => {
      const { browser, left, path, answer } = await logout((_, state) => ({ state }));
      expect(left).toBeUndefined();
      expect(path).toBe("/auth/sign-out");
      const done = await browser.submit(answer, {});
      expect(done.left).toBeUndefined();
      expect(done.answer.text).toContain("You are signed out");
      expect(await stillSignedIn(browser)).toBe(false);
    });

    it("oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri", async () => {
      const { browser, left, answer } = await logout((tokens, state) => ({
        ...whole(tokens, state),
        post_logout_redirect_uri: `${POST_LOGOUT_URI}?foo=bar`,
      }));
      expect(left).toBeUndefined();
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("It is not clear where to send you afterwards");
      expect(await stillSignedIn(browser)).toBe(true);
    });

    it("oidcc-rp-initiated-logout-bad-id-token-hint", async () => {
      const { world } = scene();
      const { browser, left, answer } = await logout((tokens, state) => {
        const { claims } = partsOf(tokens.id_token);
        const text = `${encode({ alg: "HS256", typ: "JWT" })}.${claims}`;
        const signature = createHmac("sha256", world.application.secret).update(text).digest("base64url");
        return { ...whole(tokens, state), id_token_hint: `${text}.${signature}` };
      });
      expect(left).toBeUndefined();
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("We do not recognise this request to sign out");
      expect(await stillSignedIn(browser)).toBe(true);
    });
  },
  { issuer: "https://sign-on.example", world: { application: { postLogoutRedirectUris: [POST_LOGOUT_URI] } } },
);
