import { createHash, randomBytes } from "node:crypto";
import { type Answer, type CallInit, call } from "./http.ts";
import { PASSWORD, REDIRECT_URI, type World } from "./world.ts";

/** The token of a page's form; empty without one. */
export const tokenOf = ({ text }: Pick<Answer, "text">): string =>
  /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";

/** A person's browser without a screen: keeps cookies, follows redirects within the product, fills in forms. Every answer is held against the contract. */
export class Browser {
  readonly #baseUrl: string;
  readonly #agent: Pick<CallInit, "agent" | "contract" | "headers">;
  readonly cookies = new Map<string, string>();

  constructor(baseUrl: string, agent: Pick<CallInit, "agent" | "contract" | "headers"> = {}) {
    this.#baseUrl = baseUrl;
    this.#agent = agent;
  }

  /** The header with the cookies so far; empty without any. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** One request with the cookies so far; takes the new ones. */
  async open(path: string, init: CallInit = {}): Promise<Answer> {
    const { cookie } = this;
    const headers = { ...this.#agent.headers, ...(cookie === "" ? {} : { cookie }), ...init.headers };
    const answer = await call(this.#baseUrl, path, { ...this.#agent, ...init, headers });
    for (const line of answer.headers.getSetCookie()) this.#take(line);
    return answer;
  }

  /** Follows redirects as long as they stay within the product; returns the last answer and where it came from. */
  async follow(path: string, init: CallInit = {}): Promise<{ answer: Answer; path: string; left: URL | undefined }> {
    let at = path;
    let answer = await this.open(at, init);
    for (let hops = 0; hops < 10; hops++) {
      const location = answer.headers.get("location");
      if (location === null) return { answer, path: at, left: undefined };
      const next = new URL(location, this.#baseUrl);
      if (next.origin !== new URL(this.#baseUrl).origin) return { answer, path: at, left: next };
      at = `${next.pathname}${next.search}`;
      answer = await this.open(at);
    }
    throw new Error("The redirects go round in a circle.");
  }

  /** Sends the form of a page with its hidden fields and these values. */
  submit(page: Answer, values: Readonly<Record<string, string>>, init: CallInit = {}) {
    const action = /<form [^>]*action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    return this.follow(action, { method: "POST", form: { form_token: tokenOf(page), ...values }, ...init });
  }

  #take(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(pair.indexOf("=") + 1));
  }
}

/** PKCE of one request. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The path of an authorization request; parameters given replace the usual ones, `undefined` leaves one out. */
export function authorizePath(world: World, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const all = {
    response_type: "code",
    client_id: world.application.id,
    redirect_uri: REDIRECT_URI,
    scope: "openid profile email",
    state: "st-4711",
    ...parameters,
  };
  const pairs = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/auth/authorize?${new URLSearchParams(pairs)}`;
}

/** A whole sign-in with consent; returns where the browser was sent in the end. */
export async function signIn(
  browser: Browser,
  path: string,
  { email, password = PASSWORD }: { readonly email: string; readonly password?: string },
): Promise<URL> {
  let step = await browser.follow(path);
  // Sent on from a page that had nothing left to ask, since another browser of the person had answered it meanwhile.
  const standsAt = (page: string) => step.left === undefined && step.path.startsWith(page);
  if (standsAt("/auth/login")) step = await browser.submit(step.answer, { email, password });
  if (standsAt("/auth/consent")) step = await browser.submit(step.answer, { decision: "approve" });
  if (step.left === undefined)
    throw new Error(`The sign-in stopped at ${step.path}: ${step.answer.status}\n${step.answer.text}`);
  return step.left;
}

/** Signs in and returns the authorization code. */
export async function obtainCode(
  baseUrl: string,
  world: World,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const left = await signIn(new Browser(baseUrl), authorizePath(world, parameters), { email: world.email });
  const code = left.searchParams.get("code");
  if (code === null) throw new Error(`No code came back: ${left}`);
  return code;
}

/** The token endpoint with the world's application, secret in the body. */
export const exchange = (
  baseUrl: string,
  world: World,
  parameters: Readonly<Record<string, string>>,
  init: CallInit = {},
): Promise<Answer> =>
  call(baseUrl, "/auth/token", {
    method: "POST",
    form: { client_id: world.application.id, client_secret: world.application.secret, ...parameters },
    ...init,
  });

/** Redeems a code. */
export const redeem = (
  baseUrl: string,
  world: World,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  exchange(baseUrl, world, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more });
