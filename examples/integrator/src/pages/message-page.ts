import { html } from "../html.ts";
import type { Problem } from "../sign-in-problem.ts";
import { layout } from "./layout.ts";

/** The page that explains a failed sign-in and its remedy. */
export function problemPage({ title, explanation, advice, quote }: Problem): string {
  const main = html`<section class="sheet message">
<p class="stamp bad">Not signed in</p>
<h1>${title}</h1>
<p>${explanation}</p>
${quote && html`<blockquote><code>${quote}</code></blockquote>`}
<p><strong>What to do:</strong> ${advice}</p>
<p class="actions"><a class="button" href="/sign-in">Sign in again</a> <a href="/sign-in?again=1">With another login</a> <a href="/">Back to the page</a></p>
</section>`;
  return layout(title, main);
}

/** For everything else that is not a page of this program. */
export function messagePage(title: string, text: string): string {
  return layout(
    title,
    html`<section class="sheet message"><h1>${title}</h1><p>${text}</p><p class="actions"><a class="button" href="/">To the page</a></p></section>`,
  );
}
