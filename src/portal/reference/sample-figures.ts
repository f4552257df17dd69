import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import { languageWord } from "../frame/language-chooser.ts";
import { LANGUAGES, type Sample } from "./samples.ts";

/** A sample in every language, of which the stylesheet shows the chosen one; without it all are there to read. */
export function programs(sample: Sample): Html {
  if ("browser" in sample)
    return html`<figure class="sample"><figcaption>${sample.says}</figcaption>${codeBox(sample.says, sample.browser)}</figure>`;
  return html`<div class="languages-of ${LANGUAGES.map(languageWord).join(" ")}">${LANGUAGES.map(
    (language) =>
      html`<figure class="sample language ${languageWord(language)}"><figcaption><span>${sample.saysIn?.[language] ?? sample.says}</span> <span>${language}</span></figcaption>${codeBox(`Sample in ${language}`, sample.programs[language])}</figure>\n`,
  )}</div>`;
}
