import { authorizePath, Browser, redeem, signIn } from "../../../support/browser.ts";
import { call } from "../../../support/http.ts";
import type { World } from "../../../support/world.ts";
import type { SignOn } from "../../sign-on-fixture.ts";

export const POST_LOGOUT_URI = "https://payroll.example/signed-out";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** The path of a request for sign-out; `undefined` leaves a parameter out. */
export function logoutPath(parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? "/auth/logout" : `/auth/logout?${new URLSearchParams(pairs)}`;
}

/** What an application gets when the person signs in to it with this browser. */
export async function tokensIn(
  browser: Browser,
  signOn: SignOn,
  world: World,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<Tokens> {
  const left = await signIn(browser, authorizePath(world, parameters), { email: world.email });
  return (await redeem(signOn.url, world, left.searchParams.get("code") ?? "")).json<Tokens>();
}

/** A browser in which the person has signed in to the world's application. */
export async function signedInBrowser(
  signOn: SignOn,
  world: World,
  parameters?: Readonly<Record<string, string | undefined>>,
) {
  const browser = new Browser(signOn.url);
  return { browser, tokens: await tokensIn(browser, signOn, world, parameters) };
}

/** Whether the browser is signed in, as an application asks it: by prompt=none. */
export async function isSignedIn(browser: Browser, world: World): Promise<boolean> {
  const { left } = await browser.follow(authorizePath(world, { prompt: "none" }));
  const error = left?.searchParams.get("error") ?? undefined;
  if (error !== undefined && !["login_required", "consent_required"].includes(error))
    throw new Error(`prompt=none was answered with ${error}.`);
  return error !== "login_required";
}

/** The status that userinfo answers to an access token with. */
export const userinfoStatus = async (signOn: SignOn, { access_token }: Tokens): Promise<number> =>
  (await call(signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).status;
