import { Browser, tokenOf } from "../../../support/browser.ts";
import type { Answer } from "../../../support/http.ts";
import { PASSWORD } from "../../../support/world.ts";
import type { SignOn } from "../../sign-on-fixture.ts";

/** A browser on the person's account page, signed in there. */
export async function atAccount(signOn: SignOn, { email }: { readonly email: string }, userAgent?: string) {
  const browser = new Browser(signOn.url);
  const login = await browser.follow("/auth/account");
  const headers = userAgent === undefined ? {} : { "user-agent": userAgent };
  const { answer, path } = await browser.submit(login.answer, { email, password: PASSWORD }, { headers });
  return { browser, answer, path };
}

/** Presses one button of the account page. */
export async function press(browser: Browser, values: Readonly<Record<string, string>>) {
  const page = await browser.open("/auth/account");
  return browser.follow("/auth/account", { form: { form_token: tokenOf(page), ...values } });
}

/** Public ids of the sessions that the page shows, in its order. */
export const sidsOf = (page: Answer): readonly string[] =>
  [...page.text.matchAll(/name="session" value="([^"]+)"/g)].map(([, sid]) => sid ?? "");
