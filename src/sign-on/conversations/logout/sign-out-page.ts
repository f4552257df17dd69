import type { ApplicationAddress } from "#generated/proto/gatehouse/sign_on/v1/logout.ts";
import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import type { Texts } from "../../texts/en.ts";

interface SignOutPageValues {
  /** A path of ours, where the form is sent. */
  readonly action: string;
  readonly formToken: string;
  /** A path of ours, for a person who declines. */
  readonly stayAddress: string;
  /** The application that asks; absent when the person does. */
  readonly applicationName: string | undefined;
  /** Where the person is redirected afterwards: scheme and host; absent for a page of ours. */
  readonly redirectOrigin: string | undefined;
}

/**
 * The question before signing out (RP-Initiated Logout 1.0 §2). The button has no focus, so that an early key press
 * cannot decide.
 */
export function signOutPage(values: SignOutPageValues, texts: Texts): string {
  const { signOut } = texts;
  const { applicationName, redirectOrigin } = values;
  return frame({
    title: signOut.title,
    language: texts.language,
    script: true,
    body: html`<h1>${signOut.heading}</h1>
<p class="lead">${applicationName === undefined ? signOut.yourself : signOut.asked(html`<bdi>${applicationName}</bdi>`)}</p>
<p class="aside">${signOut.effect}</p>
<form method="post" action="${values.action}">
<input type="hidden" name="form_token" value="${values.formToken}">
<div class="choice">
<button class="primary" type="submit">${signOut.submit}</button>
</div>
</form>
${redirectOrigin !== undefined && html`<p class="aside">${signOut.returnsTo(html`<bdi class="value">${breakableAddress(redirectOrigin)}</bdi>`)}</p>`}
<p class="aside"><a class="lone" href="${values.stayAddress}">${signOut.stay}</a></p>`,
    footer: html`<p>${signOut.footer}</p>`,
  });
}

interface SignedOutPageValues {
  /** The application that asked for the sign-out, where its address is clear. */
  readonly application: ApplicationAddress | null;
  /** A path of ours, where the person can sign in to the account. */
  readonly account: string;
  /** True when the person has just signed out everywhere, not on this browser alone. */
  readonly isEverywhere?: boolean;
}

/** The page after signing out when no application asked for a redirect; it leads on (R-X205). */
export function signedOutPage({ application, account, isEverywhere }: SignedOutPageValues, texts: Texts): string {
  const { signedOut } = texts;
  const { heading, effect } = isEverywhere === true ? signedOut.everywhere : signedOut.here;
  return frame({
    title: signedOut.title,
    language: texts.language,
    body: html`<h1>${heading}</h1>
<p class="lead">${effect}</p>
<p class="aside">${signedOut.applications}</p>
${application !== null && html`<p><a class="button primary" href="${application.origin}">${signedOut.application(html`<bdi>${application.name}</bdi>`)}</a></p>`}
<p${application !== null && html` class="aside"`}><a class="${application === null ? "button" : "lone"}" href="${account}">${signedOut.account}</a></p>`,
    footer: html`<p>${signedOut.footer}</p>`,
  });
}
