import { type Html, html } from "./html.ts";

/** Text whose hyphenated words are never torn at the hyphen at the end of a line: for headings, which are large. */
export const wholeWords = (text: string): readonly (Html | string)[] =>
  text.split(/(\s+)/).map((word) => (/\w-\w/.test(word) ? html`<span class="whole">${word}</span>` : word));
