import type { LoginPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { signInForm, signInTitle } from "../../browser/sign-in-form.ts";
import type { Support } from "../../browser/support.ts";
import type { Texts } from "../../texts/en.ts";

/** The service's values, the address of the form: a path of ours with the interaction in it; and whom to ask after a failure. */
export type LoginPageValues = Omit<LoginPage, "interactionId" | "redirectOrigin"> & {
  readonly action: string;
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
    body: html`<h1>${login.heading}</h1>
<p class="lead">${login.goingTo(application)}</p>
${signInForm(values, texts)}`,
    footer: html`<p>${login.footer(application)}</p>`,
  });
}
