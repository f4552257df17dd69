import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { authorizePath, type Browser } from "../../support/browser.ts";
import { fieldsOf } from "../../support/form-post.ts";
import { type Answer, call } from "../../support/http.ts";
import { PASSWORD, REDIRECT_URI, type World } from "../../support/world.ts";
import type { Scene } from "../sign-on-fixture.ts";

export type ResponseMode = "query" | "form_post";
type Wishes = Readonly<Record<string, string | undefined>>;

/** What came back to the application, and which pages stood between. */
export interface Visit {
  readonly parameters: Readonly<Record<string, string>>;
  readonly pages: readonly string[];
}

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/** The conformance suite's part: an application with a secret that only knows the standard. */
export function relyingParty(scene: () => Scene, mode: ResponseMode) {
  const url = () => scene().signOn.url;
  const wishesOf = (more: Wishes): Wishes => ({
    scope: "openid",
    ...(mode === "query" ? {} : { response_mode: mode }),
    ...more,
  });
  const authorization = ({ application }: World) => ({
    authorization: `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString("base64")}`,
  });
  const pathOf = (world: World, more: Wishes) => authorizePath(world, wishesOf(more));
  const parametersOf = (answer: Answer, left: URL | undefined) => {
    if (left !== undefined) return Object.fromEntries(left.searchParams);
    return answer.text.includes('<form method="post" action="http')
      ? Object.fromEntries(fieldsOf(answer.text).fields)
      : undefined;
  };

  /** Goes on from a first step: signs in and approves where asked. */
  async function goOn(browser: Browser, first: Awaited<ReturnType<Browser["follow"]>>, person: World): Promise<Visit> {
    const pages: string[] = [];
    let step = first;
    for (let hops = 0; hops < 3; hops++) {
      const parameters = parametersOf(step.answer, step.left);
      if (parameters !== undefined) return { parameters, pages };
      const page = step.path.split("?")[0] ?? "";
      pages.push(page);
      const values = page === "/auth/login" ? { email: person.email, password: PASSWORD } : { decision: "approve" };
      step = await browser.submit(step.answer, values);
    }
    throw new Error(`Nothing came back: ${step.answer.status} at ${step.path}`);
  }

  async function verified(idToken: string, world: World): Promise<JWTPayload> {
    const jwks = (await call(url(), "/.well-known/jwks.json")).json<JSONWebKeySet>();
    const { signOn } = scene();
    const keyOf: JWTVerifyGetKey = createLocalJWKSet(jwks);
    const { payload } = await jwtVerify(idToken, keyOf, {
      issuer: signOn.issuer,
      audience: world.application.id,
      algorithms: ["RS256"],
      currentDate: signOn.clock.now(),
      maxTokenAge: 300,
      requiredClaims: ["iss", "sub", "aud", "exp", "iat"],
    });
    return payload;
  }

  return {
    pathOf,
    redirectUri: REDIRECT_URI,
    /** An authorization request as the module sends it, up to its answer. */
    authorize: async (browser: Browser, world: World, more: Wishes = {}) =>
      goOn(browser, await browser.follow(pathOf(world, more)), world),
    authorizeByPost: async (browser: Browser, world: World, more: Wishes = {}) => {
      const form = [...new URL(pathOf(world, more), "http://any").searchParams] as [string, string][];
      return goOn(browser, await browser.follow("/auth/authorize", { method: "POST", form }), world);
    },
    /** The token request, authenticated by client_secret_basic. */
    redeem: (world: World, code: string | undefined, more: Readonly<Record<string, string>> = {}) =>
      call(url(), "/auth/token", {
        form: { grant_type: "authorization_code", code: code ?? "", redirect_uri: REDIRECT_URI, ...more },
        headers: authorization(world),
      }),
    refresh: (world: World, refreshToken: string, more: Readonly<Record<string, string>> = {}) =>
      call(url(), "/auth/token", {
        form: { grant_type: "refresh_token", refresh_token: refreshToken, ...more },
        headers: authorization(world),
      }),
    userinfo: (accessToken: string) =>
      call(url(), "/auth/userinfo", { headers: { authorization: `Bearer ${accessToken}` } }),
    verified,
    /** A whole flow: request, code, tokens, verified ID token. */
    async signIn(browser: Browser, world: World, more: Wishes = {}) {
      const visit = await this.authorize(browser, world, more);
      const tokens = (await this.redeem(world, visit.parameters.code)).json<Tokens>();
      return { ...visit, tokens, claims: await verified(tokens.id_token, world) };
    },
  };
}
