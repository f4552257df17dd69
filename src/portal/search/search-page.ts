import { type Html, html } from "#runtime/pages/html.ts";
import { documentationFrame } from "../frame/documentation-frame.ts";
import { breakable } from "../reference/markdown.ts";
import type { Findable } from "./findable.ts";

/** More would be scrolled past. */
const SHOWN_MAX = 30;

/** What was found, the best first; without words everything there is to find. */
export function searchPage(query: string, found: readonly Findable[], language?: string): string {
  const words = query.trim();
  const listed = words === "" ? found : found.slice(0, SHOWN_MAX);
  return documentationFrame({
    title: words === "" ? "Everything in the documentation" : `Search: ${words}`,
    at: "/docs/search",
    query: words,
    language,
    body: html`<div class="wall">
<h1>${words === "" ? "Everything in the documentation" : html`Found for “${words}”`}</h1>
<p class="lead">${lead(words, found.length)}</p>
</div>
<div class="pavement">
${
  listed.length > 0 &&
  html`<ul class="listing found" role="list">
${listed.map(row)}</ul>`
}
${words !== "" && html`<p class="everything"><a href="/docs/search">Everything in the documentation</a></p>`}
</div>`,
    footer: html`<p><a href="/docs">Documentation</a></p>`,
  });
}

function lead(words: string, count: number): string {
  if (words === "") return "Guides, parts, operations, events, methods, headers and kinds of problems.";
  if (count === 0) return "Nothing. Try another word, or look through everything.";
  return count === 1 ? "One place." : `${count > SHOWN_MAX ? `The best ${SHOWN_MAX} of ${count}` : count} places.`;
}

const row = ({
  kind,
  title,
  href,
  summary,
}: Findable): Html => html`<li><span class="method">${kind}</span> <a href="${href}">${breakable(title)}</a> <span class="limits">${summary}</span></li>
`;
