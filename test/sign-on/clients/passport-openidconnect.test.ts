import { createRequire } from "node:module";
import { Browser, signIn } from "../../support/browser.ts";
import { discovered } from "../../support/discovered.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { makeWorld, present, REDIRECT_URI, type World } from "../../support/world.ts";

const AFTERWARDS = "http://localhost:9/signed-out";

// Neither package has types.
const load = createRequire(import.meta.url);

/** What the library calls when it is done with an answer (passport-openidconnect, `verify` with every token). */
type Verify = (
  issuer: string,
  profile: Readonly<Record<string, unknown>>,
  context: object,
  idToken: string,
  accessToken: string,
  refreshToken: string,
  verified: (error: null, user: SignedIn) => void,
) => void;

interface SignedIn {
  readonly issuer: string;
  readonly profile: Readonly<Record<string, unknown>>;
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface Strategy {
  readonly _oauth2: {
    getOAuthAccessToken(
      token: string,
      parameters: Readonly<Record<string, string>>,
      done: (error: unknown, accessToken: string, refreshToken: string) => void,
    ): void;
  };
}

interface Library {
  readonly Strategy: new (options: object, verify: Verify) => Strategy;
}

interface Passport {
  readonly Passport: new () => {
    use(strategy: Strategy): void;
    authenticate(
      name: string,
      options: object,
      done: (error: Error | null, user: SignedIn | false, info?: { readonly message: string }) => void,
    ): (request: object, response: object, next: (error?: Error) => void) => void;
  };
}

/** What came of one request to the application: where it sends the browser, whom it let in, or why not. */
type Outcome = { readonly location: URL } | { readonly user: SignedIn } | { readonly refused: string };

/** An application's two routes, with the session that its framework would give them. */
class Site {
  readonly #session = {};
  readonly #passport;
  readonly #strategy: Strategy;

  constructor(gatehouseUrl: string, { id, secret }: World["application"]) {
    const { Strategy } = load("passport-openidconnect") as Library;
    const { Passport } = load("passport") as Passport;
    const addresses = {
      issuer: gatehouseUrl,
      authorizationURL: `${gatehouseUrl}/auth/authorize`,
      tokenURL: `${gatehouseUrl}/auth/token`,
      userInfoURL: `${gatehouseUrl}/auth/userinfo`,
    };
    const known = { clientID: id, clientSecret: secret, callbackURL: REDIRECT_URI, scope: "profile email" };
    this.#strategy = new Strategy(
      { ...addresses, ...known, nonce: true, maxAge: 900, skipUserProfile: false },
      (issuer, profile, _context, idToken, accessToken, refreshToken, verified) =>
        verified(null, { issuer, profile, idToken, accessToken, refreshToken }),
    );
    this.#passport = new Passport();
    this.#passport.use(this.#strategy);
  }

  visit(query: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return new Promise((resolve) => {
      const response = {
        setHeader: (name: string, value: string) => name === "Location" && resolve({ location: new URL(value) }),
        end: () => undefined,
      };
      const done = (error: Error | null, user: SignedIn | false, info?: { readonly message: string }) =>
        resolve(user ? { user } : { refused: error?.message ?? info?.message ?? "" });
      const route = this.#passport.authenticate("openidconnect", { session: false }, done);
      route({ query, session: this.#session, headers: {} }, response, (error) => resolve({ refused: String(error) }));
    });
  }

  refresh(refreshToken: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const parameters = { grant_type: "refresh_token" };
      this.#strategy._oauth2.getOAuthAccessToken(refreshToken, parameters, (error, ...tokens) =>
        error ? reject(error) : resolve(tokens.slice(0, 2)),
      );
    });
  }
}

describe("passport-openidconnect against the whole product", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse, { application: { postLogoutRedirectUris: [AFTERWARDS] } });
    });

    /** The browser's way from the site's first route to its second. */
    async function wayBack(site: Site, browser = new Browser(gatehouse.url)): Promise<Record<string, string>> {
      const { location } = (await site.visit()) as { location: URL };
      const { pathname, search } = location;
      const back = await signIn(browser, `${pathname}${search}`, { email: world.email });
      return Object.fromEntries(back.searchParams);
    }

    it("signs a person in, with nonce, age and profile", async () => {
      const site = new Site(gatehouse.url, world.application);
      const outcome = await site.visit(await wayBack(site));
      expect(outcome).toMatchObject({
        user: {
          issuer: gatehouse.url,
          profile: { id: world.personId, displayName: "Maren Dahl", emails: [{ value: world.email }] },
        },
      });
    });

    it("refreshes, as passport-oauth2-refresh and its like do it", async () => {
      const site = new Site(gatehouse.url, world.application);
      const { user } = (await site.visit(await wayBack(site))) as { user: SignedIn };
      const [accessToken, refreshToken] = await site.refresh(user.refreshToken);
      expect([accessToken, refreshToken]).toEqual([expect.any(String), expect.any(String)]);
      expect(refreshToken).not.toBe(user.refreshToken);
      const headers = { authorization: `Bearer ${present(accessToken)}` };
      expect((await call(gatehouse.url, "/auth/userinfo", { headers })).status).toBe(200);
    });

    it("signs a person out by the address in discovery and the ID token that the library gave", async () => {
      const site = new Site(gatehouse.url, world.application);
      const browser = new Browser(gatehouse.url);
      const { user } = (await site.visit(await wayBack(site, browser))) as { user: SignedIn };
      const { pathname } = new URL((await discovered(gatehouse)).end_session_endpoint);
      const state = "a state of the site, ä & b";
      const request = { id_token_hint: user.idToken, post_logout_redirect_uri: AFTERWARDS, state };
      const { left } = await browser.follow(`${pathname}?${new URLSearchParams(request)}`);
      expect(left?.href).toBe(`${AFTERWARDS}?state=${encodeURIComponent(state)}`);

      const { location } = (await site.visit()) as { location: URL };
      const silent = await browser.follow(`${location.pathname}${location.search}&prompt=none`);
      expect(present(silent.left).searchParams.get("error")).toBe("login_required");
      await expect(site.refresh(user.refreshToken)).rejects.toMatchObject({
        statusCode: 400,
        data: expect.stringContaining("invalid_grant"),
      });
    });

    it("gets an error that it understands when a code was spent, and when the secret is wrong", async () => {
      const site = new Site(gatehouse.url, world.application);
      const { location } = (await site.visit()) as { location: URL };
      const spent = { code: "spent", state: present(location.searchParams.get("state")) };
      expect(await site.visit(spent)).toEqual({ refused: expect.stringMatching(/authorization code/i) });
      const stranger = new Site(gatehouse.url, { ...world.application, secret: "wrong" });
      expect(await stranger.visit(await wayBack(stranger))).toEqual({
        refused: expect.stringMatching(/authentication/i),
      });
    });

    it("rejects an answer that it did not ask for", async () => {
      const [site, other] = [new Site(gatehouse.url, world.application), new Site(gatehouse.url, world.application)];
      expect(await other.visit(await wayBack(site))).toEqual({ refused: expect.stringMatching(/state/i) });
    });
  });
});
