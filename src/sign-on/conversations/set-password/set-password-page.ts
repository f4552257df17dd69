import type { SetPasswordPage } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { asNewPassword, isOfRepetition, passwordFlawText, revealBox } from "../../browser/password-fields.ts";
import type { Texts } from "../../texts/en.ts";

/** The service's values, and the address of the form: a path of ours with the token in it. */
export type SetPasswordPageValues = SetPasswordPage & { readonly action: string };

/**
 * The page on which a person chooses a password (R-S19). Pasting works, and no limit truncates what is pasted. A hidden
 * field has the e-mail address, for password managers.
 */
export function setPasswordPage(values: SetPasswordPageValues, texts: Texts): string {
  const { formToken, email, purpose, lengthMin, action } = values;
  const { setPassword } = texts;
  const words = purpose === "PASSWORD_LINK_PURPOSE_INVITATION" ? setPassword.first : setPassword.another;
  const refusal = passwordFlawText(values, texts);
  const invalid = refusal !== undefined && html`aria-invalid="true"`;
  const invalidAgain = isOfRepetition(values) && invalid;
  const described = refusal === undefined ? "rules" : "refusal rules";
  return frame({
    title: refusal === undefined ? words.title : setPassword.titleRefused,
    language: texts.language,
    script: true,
    body: html`<h1>${words.heading}</h1>
<p class="lead">${setPassword.whose(html`<bdi class="value">${breakableAddress(email)}</bdi>`)}</p>
<p id="rules">${setPassword.rules(lengthMin)}</p>
${refusal !== undefined && html`<p class="refusal" id="refusal" role="alert">${refusal}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="text" autocomplete="username" readonly hidden value="${email}">
<label for="password">${setPassword.password}</label>
<input id="password" name="password" ${asNewPassword} ${invalid} aria-describedby="${described}" autofocus>
<label for="again">${setPassword.again}</label>
<input id="again" name="password_again" ${asNewPassword} ${invalidAgain}>
${revealBox(setPassword.showPasswords)}
<button class="primary" type="submit">${setPassword.submit}</button>
</form>`,
    footer: html`<p>${setPassword.footer}</p>`,
  });
}

interface PasswordSetPageValues {
  readonly email: string;
  /** A path of ours, where the person can sign in to the account. */
  readonly account: string;
}

/** The page after a password was set; it leads to the account. */
export const passwordSetPage = ({ email, account }: PasswordSetPageValues, texts: Texts): string => {
  const { passwordSet } = texts;
  return frame({
    title: passwordSet.title,
    language: texts.language,
    script: true,
    body: html`<h1>${passwordSet.title}</h1>
<p>${passwordSet.whose(html`<bdi class="value">${breakableAddress(email)}</bdi>`)}</p>
<h2>${texts.errorPage.whatToDo}</h2>
<p>${passwordSet.next}</p>
<p><a class="button" href="${account}">${texts.signedOut.account}</a></p>`,
    footer: html`<p>${passwordSet.footer}</p>`,
  });
};
