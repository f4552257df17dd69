import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import type { Texts } from "../../texts/en.ts";

/** The page after signing out when no application asked for a redirect. */
export function signedOutPage(texts: Texts): string {
  const { signedOut } = texts;
  return frame({
    title: signedOut.title,
    language: texts.language,
    body: html`<h1>${signedOut.heading}</h1>
<p class="lead">${signedOut.effect}</p>
<p class="aside">${signedOut.applications}</p>`,
    footer: html`<p>${signedOut.footer}</p>`,
  });
}
