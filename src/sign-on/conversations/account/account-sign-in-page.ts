import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { type SignInFormValues, signInForm, signInTitle } from "../../browser/sign-in-form.ts";
import type { Texts } from "../../texts/en.ts";

/** The page that asks for e-mail and password without any application (R-S17). */
export const accountSignInPage = (values: SignInFormValues, texts: Texts): string =>
  frame({
    title: signInTitle(values, texts),
    language: texts.language,
    body: html`<h1>${texts.login.heading}</h1>
<p class="lead">${texts.account.signInLead}</p>
${signInForm(values, texts)}`,
    footer: html`<p>${texts.account.signInFooter}</p>`,
  });
