import { authorizePath, Browser, signIn, tokenOf } from "../support/browser.ts";
import type { Answer } from "../support/http.ts";
import { invitation, PASSWORD, present, type World } from "../support/world.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Ask, elsewhere, notApplicable, type SetUp } from "./set-up.ts";

const NO_PAGES = notApplicable("people's browsers are sent there, not programs");
const LONG = "x".repeat(70_000);

/** Brings about a case of the operations that a person's browser is sent to; undefined for an unknown case. */
export async function pageSetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  const { applications, urls } = installations;
  if (one.operationId.endsWith("SetPassword"))
    return { server: await setPasswordAsk(one, installations), sdk: NO_PAGES };
  const make =
    one.operationId === "authorizeByPost"
      ? authorizeByPostAsk
      : one.operationId === "authorize"
        ? authorizeAsk
        : one.operationId.endsWith("Login")
          ? loginAsk
          : consentAsk;
  const ask = await make(one, applications, urls.whole);
  return ask === undefined ? undefined : { server: ask, sdk: NO_PAGES };
}

type Make = (one: Case, applications: Installations["applications"], url: string) => Promise<Ask | undefined>;

const queryOf = (path: string) => Object.fromEntries(new URL(path, "http://any").searchParams);

/** Refused, so that no page of ours comes between; the answer is a form. */
const TOLD_BY_FORM = { response_mode: "form_post", prompt: "none" };

const authorizeAsk: Make = async ({ status }, { once }) => {
  const query = queryOf(authorizePath(once, status === 200 ? TOLD_BY_FORM : {}));
  return status === 400
    ? { query: { ...query, client_id: "app_000000000000000000000" } }
    : { ...elsewhere(status), query };
};

const authorizeByPostAsk: Make = async ({ status }, { once }) => {
  const mistaken = { ...TOLD_BY_FORM, scope: "nothing" };
  const form = queryOf(authorizePath(once, status === 200 ? mistaken : {}));
  return submitted(elsewhere(status), form, status, { ...form, client_id: "app_000000000000000000000" }, "state");
};

/** A browser that shows a page of ours: what it would send. */
interface ShownPage {
  readonly browser: Browser;
  readonly page: Answer;
  readonly path: string;
}

const atLogin = async (url: string, world: World, parameters = {}): Promise<ShownPage> => {
  const browser = new Browser(url);
  const { answer, path } = await browser.follow(authorizePath(world, parameters));
  return { browser, page: answer, path };
};

const atConsent = async (url: string, world: World, parameters = {}): Promise<ShownPage> => {
  const { browser, page } = await atLogin(url, world, parameters);
  const { answer, path } = await browser.submit(page, { email: world.email, password: PASSWORD });
  return { browser, page: answer, path };
};

const asked = ({ browser, path }: ShownPage): Ask => ({ query: queryOf(path), headers: { cookie: browser.cookie } });

/** The same page in a tab that was left behind: what it asked for has been answered in another. */
async function leftBehind(shown: ShownPage, world: World): Promise<Ask> {
  await signIn(shown.browser, authorizePath(world, { state: "another-tab" }), { email: world.email });
  return asked(shown);
}

const byForm = (one: Case) => (one.status === 200 && one.operationId.startsWith("submit") ? TOLD_AT_END : {});
const TOLD_AT_END = { response_mode: "form_post" };

const loginAsk: Make = async (one, { once, never }, url) => {
  const { operationId, status } = one;
  const world = operationId === "submitLogin" && status === 200 ? never : once;
  const shown = await atLogin(url, world, byForm(one));
  const ask = { ...asked(shown), ...elsewhere(status) };
  if (operationId === "showLogin") {
    if (status === 303) return leftBehind(await atLogin(url, never), never);
    return status === 400 ? { ...ask, query: { interaction: "unknown" } } : ask;
  }
  if (status === 429) return throttled(shown, ask);
  const form = { form_token: tokenOf(shown.page), email: once.email, password: PASSWORD };
  return submitted(ask, form, status, { ...form, password: "not the password at all" });
};

/** An unknown address, after more failures than are free. */
async function throttled({ browser, page }: ShownPage, ask: Ask): Promise<Ask> {
  const words = { email: "throttled@harbour.example", password: "not the password at all" };
  for (let failures = 0; failures < 6; failures++) await browser.submit(page, words);
  return { ...ask, form: { form_token: tokenOf(page), ...words } };
}

const consentAsk: Make = async (one, { always, once }, url) => {
  const { operationId, status } = one;
  if (operationId === "showConsent" && status === 303) {
    const shown = await atConsent(url, once);
    return leftBehind(shown, once);
  }
  const shown = await atConsent(url, always, byForm(one));
  const ask = { ...asked(shown), ...elsewhere(status) };
  if (operationId === "showConsent") return status === 400 ? { ...ask, query: { interaction: "unknown" } } : ask;
  const form = { form_token: tokenOf(shown.page), decision: "approve" };
  return submitted(ask, form, status, { ...form, form_token: "forged" });
};

const NEW_PASSWORD = "seven quiet herons at dawn";

/** A person of its own for each case: a link is spent by one of them, and a password of the shared world by none. */
async function setPasswordAsk({ operationId, status }: Case, { gatehouse, world, urls }: Installations): Promise<Ask> {
  const { user } = await gatehouse.platform.inviteUser(
    invitation(world.tenantId, `${operationId}.${status}@harbour.example`.toLowerCase()),
  );
  const key = { $case: "personId", value: present(present(user).person).id } as const;
  const { link } = await gatehouse.people.createPasswordLink({ key, purpose: "PASSWORD_LINK_PURPOSE_INVITATION" });
  const { pathname, search } = new URL(link);
  const ask = { query: queryOf(`${pathname}${search}`), ...elsewhere(status) };
  if (operationId === "showSetPassword") return status === 400 ? { ...ask, query: { token: "unknown" } } : ask;
  const page = await new Browser(urls.whole).open(`${pathname}${search}`);
  const form = { form_token: tokenOf(page), password: NEW_PASSWORD, password_again: NEW_PASSWORD };
  return submitted(ask, form, status, { ...form, password: "short" });
}

function submitted(
  ask: Ask,
  form: Record<string, string>,
  status: number,
  refused: Record<string, string>,
  longest = "form_token",
): Ask {
  switch (status) {
    case 400:
      return { ...ask, form: refused };
    case 413:
      return { ...ask, form: { ...form, [longest]: LONG } };
    case 415:
      return { ...ask, json: form };
    default:
      return { ...ask, form };
  }
}
