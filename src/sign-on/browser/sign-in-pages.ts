import type { LoginPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { frame } from "#runtime/pages/frame.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import type { Texts } from "../texts/en.ts";
import { asCurrentPassword, asTyped, revealBox } from "./password-fields.ts";
import { helpAfterFailure, type Support } from "./support.ts";

/** The service's values, and the address of the form: a path of ours with the interaction in it. */
export type LoginPageValues = Omit<LoginPage, "interactionId" | "redirectOrigin"> & {
  readonly action: string;
  /** After a failed attempt. */
  readonly support?: Support;
};

/** The page that asks for e-mail and password (R-S17). */
export function loginPage({ applicationName, waitSeconds, ...form }: LoginPageValues, texts: Texts): string {
  const { login } = texts;
  const application = html`<bdi>${applicationName}</bdi>`;
  const values = { ...form, waitSeconds: waitSeconds ?? undefined };
  return frame({
    title: signInTitle(values, texts),
    language: texts.language,
    script: true,
    body: html`<h1>${login.heading}</h1>
<p class="lead">${login.goingTo(application)}</p>
${signInForm(values, texts)}`,
    footer: html`<p>${login.footer(application)}</p>`,
  });
}

/** The page that asks for e-mail and password without any application (R-S17). */
export const accountSignInPage = (values: AccountSignInValues, texts: Texts): string =>
  frame({
    title: signInTitle(values, texts),
    language: texts.language,
    script: true,
    body: html`<h1>${texts.login.heading}</h1>
<p class="lead">${texts.account.signInLead}</p>
${values.isFormUndone === true && html`<p class="notice" role="status">${texts.account.undone}</p>`}
${signInForm(values, texts)}`,
    footer: html`<p>${texts.account.signInFooter}</p>`,
  });

interface AccountSignInValues extends SignInFormValues {
  /** True when the person comes from a form of the account that changed nothing, since the session had ended. */
  readonly isFormUndone?: boolean;
}

interface SignInFormValues {
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
function signInForm({ action, formToken, email, refused, waitSeconds, support }: SignInFormValues, texts: Texts): Html {
  const { login } = texts;
  const passwordNext = email !== "";
  const isWaiting = waitSeconds !== undefined;
  const described = (refused || isWaiting) && html`aria-describedby="refusal"`;
  const invalid = html`${refused && html`aria-invalid="true"`} ${described}`;
  return html`${refused && html`<p class="refusal" id="refusal" role="alert">${login.refused}</p>`}
${isWaiting && html`<p class="refusal" id="refusal" role="alert">${login.wait(waitSeconds)}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<label for="email">${login.email}</label>
<input id="email" name="email" type="text" ${asEmail} required value="${email}" ${invalid} ${!passwordNext && html`autofocus`}>
<label for="password">${login.password}</label>
<input id="password" name="password" ${asCurrentPassword} ${invalid} ${passwordNext && html`autofocus`}>
${revealBox(login.showPassword)}
<button class="primary" type="submit">${login.submit}</button>
</form>
${support !== undefined && helpAfterFailure(support, texts)}`;
}

/** The title of a page with this form. */
const signInTitle = ({ refused, waitSeconds, isFormUndone }: AccountSignInValues, { login }: Texts): string =>
  refused || waitSeconds !== undefined || isFormUndone === true ? login.titleRefused : login.title;

// Not type=email: browsers rewrite or refuse addresses beyond ASCII there.
const asEmail = html`inputmode="email" autocomplete="username" ${asTyped} dir="ltr"`;
