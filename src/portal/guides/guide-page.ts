import { readStylesheet } from "#runtime/pages/assets.ts";
import { drawnMarkup, type Html, html } from "#runtime/pages/html.ts";
import { wholeWords } from "#runtime/pages/whole-words.ts";
import { documentationFrame } from "../frame/documentation-frame.ts";
import { languageChooser } from "../frame/language-chooser.ts";
import { type Guide, guides, type PublishedGuide } from "./published-guides.ts";

/** The stylesheet of guides, besides the one of every page. */
export const guideStylesheet = readStylesheet("guides.css", import.meta.dirname, ["guides.css"]);

/** One guide with its contents, its neighbours, and a choice of language that needs no script. */
export function guidePage(guide: PublishedGuide, language?: string): string {
  const { name, audience, title, summary, headings, languages, body } = guide;
  const all = guides();
  const place = all.findIndex((one) => one.name === name);
  return documentationFrame({
    title,
    at: `/docs/guides/${name}`,
    stylesheet: guideStylesheet,
    language,
    body: html`<div class="wall guide-head">
<nav class="trail" aria-label="Where this page is"><a href="/docs">Documentation</a> <span>Guide for ${audience}</span></nav>
<h1>${wholeWords(title)}</h1>
<p class="lead">${summary}</p>
</div>
<div class="pavement">
<div class="guide">
<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul role="list">
${headings.filter(({ depth }) => depth === 2).map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul></nav>
<article class="prose">
${languages.length > 0 && languageChooser("Show", languages, language)}
${drawnMarkup(body)}
<nav class="neighbours" aria-label="Guides">
${neighbour("Before", all[place - 1])}
${neighbour("Next", all[place + 1])}
</nav>
</article>
</div>
</div>`,
    footer: html`<p><a href="/docs">All guides and contracts</a> · <a href="/docs/guides/${name}.md">This page as Markdown</a></p>`,
  });
}

const neighbour = (word: string, guide: Guide | undefined): Html | false =>
  guide !== undefined && html`<a href="/docs/guides/${guide.name}"><span>${word}</span> ${guide.title}</a>`;
