import type { LoginPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import type { Texts } from "../../texts/en.ts";

/** What the service says about the page, and where its form is sent: a path of ours with the interaction in it. */
export type LoginPageValues = Omit<LoginPage, "interactionId" | "redirectOrigin"> & { readonly action: string };

/** The page that asks for e-mail and password (R-S17). The cursor stands in the first field that is still to be filled in. */
export function loginPage(
  { formToken, applicationName, email, refused, waitSeconds, action }: LoginPageValues,
  texts: Texts,
): string {
  const { login } = texts;
  const application = html`<bdi>${applicationName}</bdi>`;
  const passwordNext = email !== "";
  const waiting = typeof waitSeconds === "number";
  const invalid = refused && html`aria-invalid="true" aria-describedby="refusal"`;
  return frame({
    title: refused || waiting ? login.titleRefused : login.title,
    language: texts.language,
    body: html`<h1>${login.heading}</h1>
<p class="lead">${login.goingTo(application)}</p>
${refused && html`<p class="refusal" id="refusal" role="alert">${login.refused}</p>`}
${waiting && html`<p class="refusal" role="alert">${login.wait(waitSeconds)}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="form_token" value="${formToken}">
<label for="email">${login.email}</label>
<input id="email" name="email" type="text" ${asEmail} required value="${email}" ${invalid} ${!passwordNext && html`autofocus`}>
<label for="password">${login.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required ${invalid} ${passwordNext && html`autofocus`}>
<button class="primary" type="submit">${login.submit}</button>
</form>`,
    footer: html`<p>${login.footer(application)}</p>`,
  });
}

// Not type=email: browsers rewrite or refuse addresses beyond ASCII there.
const asEmail = html`inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" dir="ltr"`;
