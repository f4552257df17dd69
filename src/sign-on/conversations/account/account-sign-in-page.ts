import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import type { Texts } from "../../texts/en.ts";

export interface AccountSignInPageValues {
  /** A path of ours, where the form is sent. */
  readonly action: string;
  readonly formToken: string;
  /** E-mail address to fill in; empty for none. */
  readonly email: string;
  readonly refused: boolean;
  /** After too many failures. */
  readonly waitSeconds: number | undefined;
}

/** The page that asks for e-mail and password without any application (R-S17). */
export function accountSignInPage(values: AccountSignInPageValues, texts: Texts): string {
  const { login, account } = texts;
  const { refused, waitSeconds, email } = values;
  const passwordNext = email !== "";
  const invalid = refused && html`aria-invalid="true" aria-describedby="refusal"`;
  return frame({
    title: refused || waitSeconds !== undefined ? login.titleRefused : login.title,
    language: texts.language,
    body: html`<h1>${login.heading}</h1>
<p class="lead">${account.signInLead}</p>
${refused && html`<p class="refusal" id="refusal" role="alert">${login.refused}</p>`}
${waitSeconds !== undefined && html`<p class="refusal" role="alert">${login.wait(waitSeconds)}</p>`}
<form method="post" action="${values.action}">
<input type="hidden" name="form_token" value="${values.formToken}">
<label for="email">${login.email}</label>
<input id="email" name="email" type="text" ${asEmail} required value="${email}" ${invalid} ${!passwordNext && html`autofocus`}>
<label for="password">${login.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required ${invalid} ${passwordNext && html`autofocus`}>
<button class="primary" type="submit">${login.submit}</button>
</form>`,
    footer: html`<p>${account.signInFooter}</p>`,
  });
}

// Not type=email: browsers rewrite or refuse addresses beyond ASCII there.
const asEmail = html`inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" dir="ltr"`;
