import { type Html, html } from "#runtime/pages/html.ts";
import { breakable } from "./markdown.ts";
import { LANGUAGES, type Sample } from "./samples.ts";

/** Code or an answer to read and to copy. */
export const shown = (text: string): Html => html`<pre><code>${breakable(text)}</code></pre>`;

const slug = (language: string): string => language.toLowerCase();

/** A sample in every language, of which the stylesheet shows the chosen one; without it all are there to read. */
export function programs(sample: Sample): Html {
  if ("browser" in sample)
    return html`<figure class="sample"><figcaption>${sample.says}</figcaption>${shown(sample.browser)}</figure>`;
  return html`<div class="languages-of ${LANGUAGES.map(slug).join(" ")}">${LANGUAGES.map(
    (language) =>
      html`<figure class="sample language ${slug(language)}"><figcaption><span>${sample.says}</span> <span>${language}</span></figcaption>${shown(sample.programs[language])}</figure>\n`,
  )}</div>`;
}

/** Radio buttons whose state the stylesheet reads: one choice for all samples of the page. */
export const languageChoice = (): Html => html`<fieldset class="chooser"><legend>Samples in</legend>
${LANGUAGES.map(
  (language, index) =>
    html`<label><input type="radio" name="language" id="in-${slug(language)}"${index === 0 && html` checked`}> <span>${language}</span></label>\n`,
)}</fieldset>`;
