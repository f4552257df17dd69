import { Browser, signIn } from "../../support/browser.ts";
import { discovered } from "../../support/discovered.ts";
import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { applicationRequest, makeWorld, present, type World } from "../../support/world.ts";

// Its own types would bring the browser's into the whole program.
const LIBRARY: string = "@auth/core";

/** As much of the library's configuration as a site needs to give (authjs.dev/reference/core). */
interface AuthConfig {
  readonly secret: string;
  readonly trustHost: true;
  readonly basePath: string;
  readonly providers: readonly Readonly<Record<string, string>>[];
  readonly callbacks: {
    jwt(given: { readonly token: object; readonly account?: Tokens | null }): object;
  };
  readonly logger: { error(): void; warn(): void };
}

interface AuthJs {
  Auth(request: Request, config: AuthConfig): Promise<Response>;
}

const SITE = "http://localhost:9";
const AFTERWARDS = `${SITE}/signed-out`;
const REDIRECT_URI = `${SITE}/auth/callback/gatehouse`;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** A website as its framework makes it out of Auth.js: requests in, answers out, everything it knows in cookies of its own. */
class Site {
  readonly cookies = new Map<string, string>();
  /** What the library gave the site of the last sign-in. */
  tokens: Tokens | undefined;
  readonly #config: AuthConfig;

  constructor(issuer: string, clientId: string, clientSecret: string) {
    this.#config = {
      secret: "a secret of the site, long enough for its cookies",
      trustHost: true,
      basePath: "/auth",
      providers: [{ id: "gatehouse", name: "Gatehouse", type: "oidc", issuer, clientId, clientSecret }],
      callbacks: {
        jwt: ({ token, account }) => {
          if (account) this.tokens = account;
          return token;
        },
      },
      logger: { error: () => undefined, warn: () => undefined },
    };
  }

  async visit(path: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form && new URLSearchParams(form);
    const request = new Request(`${SITE}${path}`, { headers: { cookie }, ...(body && { method: "POST", body }) });
    const { Auth } = (await import(LIBRARY)) as AuthJs;
    const answer = await Auth(request, this.#config);
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      if (pair.slice(at + 1) === "") this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  async csrfToken(): Promise<string> {
    return ((await (await this.visit("/auth/csrf")).json()) as { csrfToken: string }).csrfToken;
  }

  /** Where the button "sign in" leads. */
  async signInUrl(): Promise<URL> {
    const answer = await this.visit("/auth/signin/gatehouse", { csrfToken: await this.csrfToken() });
    return new URL(answer.headers.get("location") ?? "");
  }

  async session(): Promise<{ readonly user?: { readonly name: string; readonly email: string } } | null> {
    return (await (await this.visit("/auth/session")).json()) as ReturnType<Site["session"]>;
  }
}

describe("Auth.js core against the whole product, with only issuer, id and secret", () => {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let registered: { readonly id: string; readonly secret: string };

    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
      const redirectUris = [{ uri: REDIRECT_URI, instanceId: world.instanceId }];
      const request = applicationRequest(world.instanceId, {
        redirectUris,
        postLogoutRedirectUris: [AFTERWARDS],
      });
      const { application, secret } = await gatehouse.signOn.createApplication(request);
      registered = { id: present(application).id, secret: present(secret) };
    });

    const newSite = (secret = registered.secret) => new Site(gatehouse.url, registered.id, secret);

    /** From the site's button to the site's page behind it. */
    async function signInTo(site: Site, browser = new Browser(gatehouse.url)): Promise<string> {
      const { pathname, search } = await site.signInUrl();
      const back = await signIn(browser, `${pathname}${search}`, { email: world.email });
      const answer = await site.visit(`${back.pathname}${back.search}`);
      return new URL(answer.headers.get("location") ?? "", SITE).pathname;
    }

    it("signs a person in, and the site shows the name", async () => {
      const site = newSite();
      expect(await site.session()).toBeNull();
      expect(await signInTo(site)).toBe("/");
      expect((await site.session())?.user).toEqual({ name: "Maren Dahl", email: world.email });
    });

    it("gets a refresh token that works as the library's own guide says", async () => {
      const site = newSite();
      await signInTo(site);
      const answer = await fetch(`${gatehouse.url}/auth/token`, {
        method: "POST",
        body: new URLSearchParams({
          client_id: registered.id,
          client_secret: registered.secret,
          grant_type: "refresh_token",
          refresh_token: present(site.tokens).refresh_token,
        }),
      });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        access_token: expect.any(String),
        refresh_token: expect.any(String),
      });
    });

    it("signs a person out of the site, and here by the ID token that the library gave", async () => {
      const site = newSite();
      const browser = new Browser(gatehouse.url);
      await signInTo(site, browser);
      await site.visit("/auth/signout", { csrfToken: await site.csrfToken() });
      expect(await site.session()).toBeNull();
      const { id_token, refresh_token } = present(site.tokens);
      const { pathname } = new URL((await discovered(gatehouse)).end_session_endpoint);
      const state = "a state of the site's";
      const request = { id_token_hint: id_token, post_logout_redirect_uri: AFTERWARDS, state };
      const { left } = await browser.follow(`${pathname}?${new URLSearchParams(request)}`);
      expect([left?.origin, left?.pathname, left?.searchParams.get("state")]).toEqual([SITE, "/signed-out", state]);

      const again = await site.signInUrl();
      const silent = await browser.follow(`${again.pathname}${again.search}&prompt=none`);
      expect(present(silent.left).searchParams.get("error")).toBe("login_required");
      const { id: client_id, secret: client_secret } = registered;
      const form = { client_id, client_secret, grant_type: "refresh_token", refresh_token };
      const refused = await call(gatehouse.url, "/auth/token", { form });
      expect([refused.status, refused.json<{ error: string }>().error]).toEqual([400, "invalid_grant"]);
    });

    it("sends the person to the site's error page when they decline", async () => {
      const site = newSite();
      const browser = new Browser(gatehouse.url);
      const { pathname, search } = await site.signInUrl();
      const login = await browser.follow(`${pathname}${search}&prompt=consent`);
      const consent = await browser.submit(login.answer, {
        email: world.email,
        password: "correct horse battery staple",
      });
      const { left } = await browser.submit(consent.answer, { decision: "deny" });
      expect(present(left).searchParams.get("error")).toBe("access_denied");
      const answer = await site.visit(`${present(left).pathname}${present(left).search}`);
      expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("OAuthCallbackError");
      expect(await site.session()).toBeNull();
    });

    it("fails with a wrong secret, or with a code from another browser", async () => {
      const wrong = newSite("wrong");
      await signInTo(wrong);
      expect(await wrong.session()).toBeNull();
      const [one, other] = [newSite(), newSite()];
      await other.signInUrl();
      const { pathname, search } = await one.signInUrl();
      const back = await signIn(new Browser(gatehouse.url), `${pathname}${search}`, { email: world.email });
      await other.visit(`${back.pathname}${back.search}`);
      expect(await other.session()).toBeNull();
    });
  });
});
