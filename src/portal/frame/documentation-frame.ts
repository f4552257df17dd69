import { type Asset, readStylesheet } from "#runtime/pages/assets.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import { courtPage } from "./court-page.ts";
import { DOCUMENTED } from "./documented.ts";
import { keepingLanguage } from "./language-chooser.ts";

/** What the pages of the documentation load besides the stylesheet and icon of every page; read once, at start. */
export const documentationStylesheet = readStylesheet("documentation.css", import.meta.dirname, [
  "masthead.css",
  "contract-page.css",
  "contents.css",
  "language-chooser.css",
  "overview.css",
  "print.css",
]);

/** The document around a page of the documentation: the ways to the others, and the search. */
export const documentationFrame = (page: {
  readonly title: string;
  readonly body: Html;
  readonly footer: Html;
  /** Address of the page, to mark it in the navigation. */
  readonly at: string;
  /** A further stylesheet. */
  readonly stylesheet?: Asset;
  /** What was searched for: words that anybody chooses, so search engines must not list the page. */
  readonly query?: string;
  /** The language that the address names; links to other pages name it, too. */
  readonly language?: string | undefined;
}): string => keepingLanguage(documentOf(page), page.language);

const documentOf = (page: Parameters<typeof documentationFrame>[0]): string =>
  courtPage({
    title: page.title,
    indexed: page.query === undefined || page.query === "",
    stylesheets: page.stylesheet === undefined ? [documentationStylesheet] : [documentationStylesheet, page.stylesheet],
    masthead: html`<nav class="ways" aria-label="Documentation"><ul role="list">${WAYS.map(([href, name]) => html`<li><a href="${href}"${href === page.at && html` aria-current="page"`}>${name}</a></li>`)}</ul></nav>
<form class="search" role="search" action="/docs/search"><label class="heard" for="q">Search the documentation</label><input type="search" id="q" name="q" maxlength="100" placeholder="Search: retry" value="${page.query ?? ""}">${page.language !== undefined && html`<input type="hidden" name="language" value="${page.language}">`}<button>Search</button></form>`,
    body: page.body,
    footer: page.footer,
  });

const WAYS: readonly (readonly [href: string, name: string])[] = [
  ["/docs", "Overview"],
  ...DOCUMENTED.map(({ page, title }) => [`/docs/${page}`, title] as const),
];
