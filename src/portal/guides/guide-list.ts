import { type Html, html } from "#runtime/pages/html.ts";
import type { Audience, Guide } from "./published-guides.ts";

const link = ({ name, title }: Guide): Html => html`<a href="/docs/guides/${name}">${title}</a>`;

/** Guides by title, for a page that is about more than them: the first is where to begin. */
export const guideLinks = ([first, ...more]: readonly Guide[]): Html | false =>
  first !== undefined &&
  html`<nav class="guides" aria-label="Guides"><a class="button primary" href="/docs/guides/${first.name}">${first.title}</a><ul class="guide-links" role="list">
${more.map((guide) => html`<li>${link(guide)}</li>\n`)}</ul></nav>`;

/** The guides for some readers, each with what one has at its end. Nothing where there is none. */
export function guideChapter(heading: string, readers: Audience, all: readonly Guide[]): Html | false {
  const theirs = all.filter(({ audience }) => audience === readers);
  return (
    theirs.length > 0 &&
    html`<h2 class="chapter">${heading}</h2>
<ul class="documents" role="list">
${theirs.map((guide) => html`<li class="document"><h3>${link(guide)}</h3>\n<p>${guide.summary}</p></li>\n`)}</ul>`
  );
}
