import { type Asset, assets } from "./assets.ts";
import { type Html, html } from "./html.ts";

/** The parts of a page that differ from page to page. */
interface Frame {
  /** Without the product's name, which the frame adds. */
  readonly title: string;
  /** BCP 47 tag of the page's language; decides the direction of writing too. */
  readonly language: string;
  /** Content of the main landmark; begins with the page's one `h1`. */
  readonly body: Html;
  readonly footer?: Html | undefined;
  /**
   * `door`: one conversation with one person. `court`: something to read, with a way home. `hall`: what a person has
   * here. `door` by default.
   */
  readonly layout?: "door" | "court" | "hall";
  /** Text of the link that skips the masthead; a court and a hall have one. */
  readonly skipLink?: string;
  /** True when search engines may list the page. False by default. */
  readonly indexed?: boolean;
  /** True when the page loads the script that improves forms, password fields and times. False by default. */
  readonly script?: boolean;
  /** Further stylesheets, for pages of one kind. */
  readonly stylesheets?: readonly Asset[];
  /** What the masthead of a court has besides the way home. */
  readonly masthead?: Html;
}

/**
 * The whole document around a page's body, from doctype to the closing tag. Loads its stylesheets and one icon, and the
 * script where asked for.
 */
export function frame({
  title,
  language,
  body,
  footer,
  layout = "door",
  skipLink,
  indexed = false,
  script = false,
  stylesheets = [],
  masthead,
}: Frame): string {
  const document = html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<title>${title} · Gatehouse</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!indexed && html`<meta name="robots" content="noindex">`}
<link rel="stylesheet" href="${assets.stylesheet.href}">
${stylesheets.map(({ href }) => html`<link rel="stylesheet" href="${href}">\n`)}
<link rel="icon" type="image/svg+xml" href="${assets.icon.href}">
${script && html`<script src="${assets.script.href}" defer></script>`}
</head>
${layout === "door" ? door(body, footer) : court(layout, body, footer, skipLink, masthead)}
</html>
`;
  return document.toString();
}

// The drawn gate: wall and door above, pavement below.
const door = (body: Html, footer: Html | undefined) => html`<body class="door">
<div class="wall">
<div class="arch">
<div class="bars"></div>
<header class="brand">${brand}</header>
<main>
${body}
</main>
</div>
</div>
<footer class="pavement">${footer}</footer>
</body>`;

// Where the way home of a court leads is of no use to the person whose hall it is.
const court = (
  layout: "court" | "hall",
  body: Html,
  footer: Html | undefined,
  skipLink: string | undefined,
  masthead: Html | undefined,
) => html`<body class="${layout === "hall" ? "court hall" : layout}">
${skipLink !== undefined && html`<a class="skip" href="#main">${skipLink}</a>`}
<header class="masthead">${layout === "hall" ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="/">${brand}</a>`}${masthead}</header>
<main id="main" tabindex="-1">
${body}
</main>
<footer class="colophon">${footer}</footer>
</body>`;

const brand = html`<img src="${assets.icon.href}" alt="" width="32" height="32"><span>Gatehouse</span>`;

const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<string | undefined> = new Set([
  "Adlm",
  "Arab",
  "Hebr",
  "Nkoo",
  "Rohg",
  "Syrc",
  "Thaa",
]);

/** True when the language is written from right to left in its usual script, or in the one its tag names. */
const isRightToLeft = (language: string) => RIGHT_TO_LEFT_SCRIPTS.has(new Intl.Locale(language).maximize().script);
