import type { ConsentPage } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { scopeText } from "../../browser/scope-text.ts";
import type { Texts } from "../../texts/en.ts";

/** The service's values, and paths of ours with the interaction in them: of the form, and of the login page. */
export type ConsentPageValues = Omit<ConsentPage, "interactionId"> & {
  readonly action: string;
  readonly otherAccount: string;
};

/**
 * The page that asks a person to approve what an application will learn (R-S18). The button pressed is sent as
 * `decision`, `approve` or `deny`; neither has the focus, so that an early key press cannot decide.
 */
export function consentPage(values: ConsentPageValues, texts: Texts): string {
  const { consent } = texts;
  return frame({
    title: consent.title,
    language: texts.language,
    script: true,
    body: html`<h1>${consent.heading(html`<bdi>${values.applicationName}</bdi>`)}</h1>
<p class="lead">${consent.signedInAs(html`<bdi class="value">${breakableAddress(values.email)}</bdi>`)}</p>
<p class="aside"><a class="lone" href="${values.otherAccount}">${consent.otherAccount}</a></p>
<h2>${consent.listHeading}</h2>
<ul class="grants" role="list">
${values.scopes.map((scope) => html`<li>${scopeText(scope, texts)}</li>`)}
</ul>
<form method="post" action="${values.action}">
<input type="hidden" name="form_token" value="${values.formToken}">
<div class="choice">
<button class="primary" type="submit" name="decision" value="approve">${consent.approve}</button>
<button type="submit" name="decision" value="deny">${consent.deny}</button>
</div>
</form>
<p class="aside">${consent.returnsTo(html`<bdi class="value">${breakableAddress(values.redirectOrigin)}</bdi>`)}</p>`,
    footer: html`<p>${consent.footer}</p>`,
  });
}
