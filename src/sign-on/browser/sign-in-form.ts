import { type Html, html } from "#runtime/pages/html.ts";
import type { Texts } from "../texts/en.ts";
import { helpAfterFailure, type Support } from "./support.ts";

export interface SignInFormValues {
  /** A path of ours, where the form is sent. */
  readonly action: string;
  readonly formToken: string;
  /** E-mail address to fill in; empty for none. */
  readonly email: string;
  readonly refused: boolean;
  /** After too many failures. */
  readonly waitSeconds: number | undefined;
  /** Shown after a failed attempt. */
  readonly support?: Support;
}

/**
 * What was wrong with the last attempt, the fields for e-mail and password, and whom to ask after a failure. The first
 * empty field has the focus.
 */
export function signInForm(
  { action, formToken, email, refused, waitSeconds, support }: SignInFormValues,
  texts: Texts,
): Html {
  const { login } = texts;
  const passwordNext = email !== "";
  const invalid = refused && html`aria-invalid="true" aria-describedby="refusal"`;
  return html`${refused && html`<p class="refusal" id="refusal" role="alert">${login.refused}</p>`}
${waitSeconds !== undefined && html`<p class="refusal" role="alert">${login.wait(waitSeconds)}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<label for="email">${login.email}</label>
<input id="email" name="email" type="text" ${asEmail} required value="${email}" ${invalid} ${!passwordNext && html`autofocus`}>
<label for="password">${login.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required ${invalid} ${passwordNext && html`autofocus`}>
<button class="primary" type="submit">${login.submit}</button>
</form>
${support !== undefined && helpAfterFailure(support, texts)}`;
}

/** The title of a page with this form. */
export const signInTitle = ({ refused, waitSeconds }: SignInFormValues, { login }: Texts): string =>
  refused || waitSeconds !== undefined ? login.titleRefused : login.title;

// Not type=email: browsers rewrite or refuse addresses beyond ASCII there.
const asEmail = html`inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" dir="ltr"`;
