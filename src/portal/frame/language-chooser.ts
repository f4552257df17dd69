import { type Html, html } from "#runtime/pages/html.ts";

/** A language or a tool as classes of markup and addresses have it. */
export const languageWord = (language: string): string => language.toLowerCase();

/**
 * Radio buttons whose state the stylesheet reads: one choice for all programs of the page; without a stylesheet every
 * language is there to read. Sent as a form they give the page whose links to others keep the choice (R-X215).
 * `chosen` is what the address of this page names, in small letters.
 */
export function languageChooser(legend: string, languages: readonly string[], chosen: string | undefined): Html {
  const shown = languages.find((language) => languageWord(language) === chosen) ?? languages[0];
  return html`<form class="chooser"><fieldset><legend>${legend}</legend>
${languages.map((language) => {
  const word = languageWord(language);
  return html`<label><input type="radio" name="language" value="${word}" id="in-${word}"${language === shown && html` class="kept" checked`}> <span>${language}</span></label>\n`;
})}</fieldset><button class="keep">Keep on every page</button></form>`;
}

/** Links to pages of the documentation, those to a guide's Markdown excepted; the first group is the page. */
const LINKS = /(<a [^>]*href="\/docs(?:\/[a-z0-9-]+)*)(?=["#])/g;

/** The page with the chosen language in its links to others. */
export const keepingLanguage = (page: string, chosen: string | undefined): string =>
  chosen === undefined ? page : page.replaceAll(LINKS, `$1?language=${encodeURIComponent(chosen)}`);
