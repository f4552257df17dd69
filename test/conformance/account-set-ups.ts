import { withPerson } from "../sign-on/sign-on-fixture.ts";
import { Browser, tokenOf } from "../support/browser.ts";
import type { Gatehouse } from "../support/gatehouse.ts";
import { PASSWORD, type World } from "../support/world.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Ask, elsewhere, notApplicable, posted, type SetUp } from "./set-up.ts";

export const ACCOUNT_OPERATIONS = [
  "showAccount",
  "submitAccount",
  "showAccountSignIn",
  "submitAccountSignIn",
  "findPasswordChange",
  "showPasswordChange",
  "submitPasswordChange",
];

const NO_PAGES = notApplicable("people's browsers are sent there, not programs");
const NO_PARAMETERS = notApplicable("the address takes no parameter that could be wrong");
const NO_CALL = notApplicable("the answer is the same for everybody, so nothing of ours can fail");
const PASSWORD_CHANGE = "/auth/account/password";
const SIGN_IN = "/auth/account/sign-in";

/** Brings about a case of the operations of a person's account; undefined for an unknown case. */
export async function accountSetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  const server = await ask(one, installations);
  return server === undefined ? undefined : { server, sdk: NO_PAGES };
}

async function ask(
  { operationId, status }: Case,
  { world, urls, gatehouse }: Installations,
): Promise<SetUp["server"] | undefined> {
  const url = urls.whole;
  switch (operationId) {
    case "showAccount":
      if (status === 400) return { query: { done: "nothing" } };
      return status === 200 ? signedIn(world, url) : elsewhere(status);
    case "showAccountSignIn":
      if (status === 400) return { query: { next: "nowhere" } };
      return status === 303 ? signedIn(world, url) : elsewhere(status);
    case "findPasswordChange":
      if (status === 400) return NO_PARAMETERS;
      return status === 303 ? {} : NO_CALL;
    case "showPasswordChange":
      if (status === 400) return NO_PARAMETERS;
      return status === 200 ? signedIn(world, url) : elsewhere(status);
    case "submitAccount":
      return posted({ form_token: "x", action: "sign_out_everywhere" }, { form_token: "x" }, status);
    case "submitAccountSignIn":
      return status === 429 ? throttledSignIn(url) : signInForm(world, url, status);
    case "submitPasswordChange":
      return status === 429 ? throttledChange(gatehouse, world, url) : posted(CHANGE, { form_token: "x" }, status);
    default:
      return undefined;
  }
}

const CHANGE = { form_token: "x", old_password: PASSWORD, password: "x", password_again: "x" };

async function signedIn(world: World, url: string): Promise<Ask> {
  const browser = new Browser(url);
  const { answer } = await browser.follow(SIGN_IN);
  await browser.submit(answer, { email: world.email, password: PASSWORD });
  return { headers: { cookie: browser.cookie } };
}

async function signInForm(world: World, url: string, status: number): Promise<Ask> {
  const browser = new Browser(url);
  const { answer } = await browser.follow(SIGN_IN);
  const form = { form_token: tokenOf(answer), email: world.email, password: PASSWORD };
  const refused = { ...form, password: "not the password at all" };
  return { headers: { cookie: browser.cookie }, ...posted(form, refused, status) };
}

const FAILURES = 12;

/** After so many failures with an unknown address that the next attempt is throttled. */
async function throttledSignIn(url: string): Promise<Ask> {
  const browser = new Browser(url);
  const { answer } = await browser.follow(SIGN_IN);
  const form = { form_token: tokenOf(answer), email: "nobody.at.all@harbour.example", password: "x" };
  for (let failure = 0; failure < FAILURES; failure++) await browser.open(SIGN_IN, { form });
  return { headers: { cookie: browser.cookie }, form };
}

/** The same for somebody who is signed in and guesses the current password. */
async function throttledChange(gatehouse: Gatehouse, world: World, url: string): Promise<Ask> {
  const person = await withPerson(gatehouse, world, "guesser@harbour.example");
  const { headers = {} } = await signedIn(person, url);
  const browser = new Browser(url);
  const password = "seven lanterns over the quay";
  const form = {
    form_token: tokenOf(await browser.open(PASSWORD_CHANGE, { headers })),
    old_password: "not the password at all",
    password,
    password_again: password,
  };
  for (let failure = 0; failure < FAILURES; failure++) await browser.open(PASSWORD_CHANGE, { headers, form });
  return { headers, form };
}
