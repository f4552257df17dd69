import { authorizePath, Browser, signIn, tokenOf } from "../support/browser.ts";
import type { World } from "../support/world.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { elsewhere, notApplicable, posted, type SetUp } from "./set-up.ts";

const NO_PAGES = notApplicable("people's browsers are sent there, not programs");
const SETTINGS_ONLY = notApplicable("the address takes no parameter that could be wrong");

/** Brings about a case of the operations by which people sign out; undefined for an unknown case. */
export async function logoutSetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  const { applications, urls } = installations;
  const server = await ask(one, applications.never, urls.whole);
  return server === undefined ? undefined : { server, sdk: NO_PAGES };
}

async function ask({ operationId, status }: Case, world: World, url: string): Promise<SetUp["server"] | undefined> {
  const form = { client_id: world.application.id };
  switch (operationId) {
    case "logout":
      return status === 400 ? { query: { client_id: "app_000000000000000000000" } } : elsewhere(status);
    case "submitLogout":
      return posted(form, { client_id: "app_000000000000000000000" }, status);
    case "showSignedOut":
      if (status === 303) return { headers: await cookiesOf(world, url) };
      return status === 400 ? SETTINGS_ONLY : elsewhere(status);
    case "showSignOut":
      if (status === 400) return { query: { logout: "unknown" } };
      return status === 200 ? { headers: await cookiesOf(world, url) } : elsewhere(status);
    case "submitSignOut": {
      const headers = await cookiesOf(world, url);
      const browser = await call(url, headers);
      return { headers, ...posted({ form_token: browser }, { form_token: "forged" }, status) };
    }
    default:
      return undefined;
  }
}

/** The cookies of a browser in which the person has signed in. */
async function cookiesOf(world: World, url: string): Promise<{ readonly cookie: string }> {
  const browser = new Browser(url);
  await signIn(browser, authorizePath(world), { email: world.email });
  return { cookie: browser.cookie };
}

/** The token of the question's form. */
async function call(url: string, headers: { readonly cookie: string }): Promise<string> {
  const page = await new Browser(url).open("/auth/sign-out", { headers });
  return tokenOf(page);
}
