import { type Html, html } from "#runtime/pages/html.ts";

/** Characters of the longest line that fits the narrowest window, 320 CSS pixels wide. */
const FITS = 28;

/**
 * Code to read and to copy, its lines as they are: a long one scrolls in its own box, which the Tab key reaches then.
 * `label` names the box for those who do not see it.
 */
export const codeBox = (label: string, text: string): Html =>
  html`<div class="code" role="group" aria-label="${label}"${text.split("\n").some((line) => line.length > FITS) && html` tabindex="0"`}><pre><code>${text}</code></pre></div>`;
