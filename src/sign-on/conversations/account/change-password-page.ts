import type { PasswordChangePage } from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import {
  asCurrentPassword,
  asNewPassword,
  isOfRepetition,
  passwordFlawText,
  revealBox,
} from "../../browser/password-fields.ts";
import { helpAfterFailure, type Support } from "../../browser/support.ts";
import type { Texts } from "../../texts/en.ts";

/** The service's values, and the addresses of the form and of the way back. */
interface ChangePasswordPageValues extends PasswordChangePage {
  readonly action: string;
  readonly back: string;
  /** Whom to ask, shown where the current password was refused. */
  readonly support?: Support;
}

/** The page on which a signed-in person changes the password (R-S20). */
export function changePasswordPage(values: ChangePasswordPageValues, texts: Texts): string {
  const { setPassword, changePassword, login } = texts;
  const { oldRefused, waitSeconds, support } = values;
  const flaw = passwordFlawText(values, texts);
  const wait = typeof waitSeconds === "number" ? login.wait(waitSeconds) : undefined;
  const refusal = wait ?? (oldRefused ? changePassword.oldRefused : flaw);
  const help = support !== undefined && (wait !== undefined || oldRefused) && helpAfterFailure(support, texts);
  const describedOld = (oldRefused || wait !== undefined) && html`aria-describedby="refusal"`;
  const invalidOld = html`${oldRefused && html`aria-invalid="true"`} ${describedOld}`;
  const invalidNew = flaw !== undefined && html`aria-invalid="true"`;
  const invalidAgain = isOfRepetition(values) && invalidNew;
  const described = flaw === undefined ? "rules" : "refusal rules";
  return frame({
    title: refusal === undefined ? changePassword.title : setPassword.titleRefused,
    language: texts.language,
    script: true,
    body: html`<h1>${changePassword.heading}</h1>
<p class="lead">${setPassword.whose(html`<bdi class="value">${breakableAddress(values.email)}</bdi>`)}</p>
<p id="rules">${setPassword.rules(values.lengthMin)}</p>
${refusal !== undefined && html`<p class="refusal" id="refusal" role="alert">${refusal}</p>`}
<form method="post" action="${values.action}">
<input type="hidden" name="form_token" value="${values.formToken}">
<input type="text" autocomplete="username" readonly hidden value="${values.email}">
<label for="old">${changePassword.old}</label>
<input id="old" name="old_password" ${asCurrentPassword} ${invalidOld} ${flaw === undefined && html`autofocus`}>
<label for="password">${setPassword.password}</label>
<input id="password" name="password" ${asNewPassword} ${invalidNew} aria-describedby="${described}" ${flaw !== undefined && html`autofocus`}>
<label for="again">${setPassword.again}</label>
<input id="again" name="password_again" ${asNewPassword} ${invalidAgain}>
${revealBox(setPassword.showPasswords)}
<button class="primary" type="submit">${changePassword.submit}</button>
</form>
${help}
<p class="aside"><a class="lone" href="${values.back}">${changePassword.back}</a></p>`,
    footer: html`<p>${changePassword.footer}</p>`,
  });
}
