import { createHash, randomBytes } from "node:crypto";
import type { Connections } from "./http.ts";
import { type LoadOptions, type Measured, measure, WARM_UP } from "./load.ts";

export const FORM = { "content-type": "application/x-www-form-urlencoded" };
export const CONCURRENCY = 16;
/** The same for one caller, who comes after the many. */
export const WARM_UP_OF_ONE = 1_000;
/** Userinfo is asked for with the tokens of so many of the last exchanges: fewer than we remember. */
const RECENT_TOKENS = 9_000;

/** An OpenID provider with one application and one person who is signed in: ours, or a peer. */
export interface Provider {
  readonly connections: Connections;
  readonly paths: { readonly authorize: string; readonly token: string; readonly userinfo: string };
  readonly application: { readonly id: string; readonly secret: string };
  readonly redirectUri: string;
  /** Headers that a signed-in browser sends. */
  readonly cookie: string;
  /** CPU time of its process so far, in microseconds. */
  cpu(): number;
  /** Durable commits so far, where the provider counts them. */
  flushes?: (() => Promise<number>) | undefined;
}

/** One of something for each of the four most frequent operations of applications. */
export interface OfSignOn<T> {
  readonly authorize: T;
  readonly redeem: T;
  readonly refresh: T;
  readonly userinfo: T;
}

export type SignOnSeries = OfSignOn<Measured>;

/** The same operations by many callers at once, and by one who waits for each answer. */
export interface OfCallers<T> {
  readonly many: T;
  readonly one: T;
}

/** A caller alone waits for each of his operations, so a fifth of them takes about as long. */
export const operationsOfOne = (operations: number): number => Math.ceil(operations / 5);

export async function signOnSeriesOfCallers(provider: Provider, operations: number): Promise<OfCallers<SignOnSeries>> {
  return {
    many: await signOnSeries(provider, { operations, concurrency: CONCURRENCY, warmUp: WARM_UP }),
    one: await signOnSeries(provider, {
      operations: operationsOfOne(operations),
      concurrency: 1,
      warmUp: WARM_UP_OF_ONE,
    }),
  };
}

interface IssuedCode {
  readonly code: string;
  readonly verifier: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * Authorize with a session and a remembered consent, redeem a code, ask who it is, refresh a token. Each code and each refresh
 * token is used once, so there are as many of a step as there were of the one before.
 */
export function signOnOperations(provider: Provider): OfSignOn<() => Promise<void>> {
  const codes: IssuedCode[] = [];
  const tokens: Tokens[] = [];
  let redeemed = 0;
  let asked = 0;
  let refreshed = 0;
  return {
    authorize: async () => void codes.push(await authorizeOnce(provider)),
    redeem: async () => void tokens.push(await redeemOnce(provider, codes[redeemed++])),
    // Before the tokens are refreshed, from the last one back: applications ask at once.
    userinfo: async () => void (await userinfoOnce(provider, tokens.at(-1 - (asked++ % RECENT_TOKENS)))),
    refresh: async () => void (await refreshOnce(provider, tokens[refreshed++]?.refresh_token ?? "")),
  };
}

async function signOnSeries(
  provider: Provider,
  size: Pick<LoadOptions, "operations" | "concurrency" | "warmUp">,
): Promise<SignOnSeries> {
  const { cpu, flushes } = provider;
  const load = { ...size, cpu, flushes };
  const { authorize, redeem, userinfo, refresh } = signOnOperations(provider);
  return {
    authorize: await measure({ ...load, run: authorize }),
    redeem: await measure({ ...load, run: redeem }),
    userinfo: await measure({ ...load, run: userinfo }),
    refresh: await measure({ ...load, run: refresh }),
  };
}

/** The path of an authorization request. */
export function authorizePath(
  { paths, application, redirectUri }: Omit<Provider, "cookie" | "cpu" | "flushes">,
  challenge: string,
): string {
  return `${paths.authorize}?${new URLSearchParams({
    response_type: "code",
    client_id: application.id,
    redirect_uri: redirectUri,
    scope: "openid profile email",
    state: "bench",
    nonce: "bench",
    code_challenge: challenge,
    code_challenge_method: "S256",
  })}`;
}

export const newVerifier = (): string => randomBytes(32).toString("base64url");

export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

export async function authorizeOnce(provider: Provider): Promise<IssuedCode> {
  const verifier = newVerifier();
  const path = authorizePath(provider, challengeOf(verifier));
  const { headers } = await provider.connections.send([302, 303], path, { headers: { cookie: provider.cookie } });
  const code = new URL(String(headers.location)).searchParams.get("code");
  if (code === null) throw new Error(`No code came back: ${String(headers.location)}`);
  return { code, verifier };
}

export async function redeemOnce(provider: Provider, issued: IssuedCode | undefined): Promise<Tokens> {
  const { text } = await requestTokens(provider, {
    grant_type: "authorization_code",
    code: issued?.code ?? "",
    code_verifier: issued?.verifier ?? "",
    redirect_uri: provider.redirectUri,
  });
  return JSON.parse(text) as Tokens;
}

export const userinfoOnce = ({ connections, paths }: Provider, tokens: Tokens | undefined) =>
  connections.send(200, paths.userinfo, { headers: { authorization: `Bearer ${tokens?.access_token}` } });

export const refreshOnce = (provider: Provider, refreshToken: string) =>
  requestTokens(provider, { grant_type: "refresh_token", refresh_token: refreshToken });

function requestTokens({ connections, paths, application }: Provider, fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ ...fields, client_id: application.id, client_secret: application.secret });
  return connections.send(200, paths.token, { method: "POST", headers: FORM, body: body.toString() });
}

/** The cookies of a browser, as far as a benchmark needs them. */
export class Jar {
  readonly #cookies = new Map<string, string>();

  get header(): { readonly cookie: string } {
    return { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  }

  /** Stores the cookies of an answer, and returns its `Location`. */
  keep(headers: Readonly<Record<string, string | string[] | undefined>>): string {
    for (const line of [headers["set-cookie"] ?? []].flat()) {
      const [pair = ""] = line.split(";");
      this.#cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return String(headers.location ?? "");
  }

  only(prefix: string): string {
    return [...this.#cookies]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }
}
