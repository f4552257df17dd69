import { SIGN_ON_ERRORS, type SignOnErrorCode } from "#generated/sign-on-errors.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import { explained } from "./problem-page.ts";

type Answered = (typeof SIGN_ON_ERRORS)[SignOnErrorCode]["answered"][number];
type Cause = {
  readonly cause?: string;
  readonly cure: string;
  readonly check: string;
  readonly pages?: readonly string[];
};

/** The name of the page about an error of sign-on; the end of `error_uri` (R-X209). */
export const signOnErrorPageName = (code: string): string => `sign-on-${code.replaceAll("_", "-")}`;

/** The page that `error_uri` leads to: what the code says, and cause and cure of each sentence that comes with it. */
export function signOnErrorPage(code: SignOnErrorCode, issuer: string, requestId: string): string {
  const { meaning, inAnswers, answered } = SIGN_ON_ERRORS[code];
  const sample = {
    error: code,
    error_description: `${answered[0].said} (${requestId})`,
    error_uri: `${issuer}/problems/${signOnErrorPageName(code)}`,
  };
  const title = code.replaceAll("_", " ");
  return explained({
    title: title.charAt(0).toUpperCase() + title.slice(1),
    code,
    label: "OAuth",
    body: html`<div class="facing">
<section>
<h2 class="chapter">What it means</h2>
<p>${meaning}</p>
<h2 class="chapter">Ask the operator</h2>
<p>The request id is at the end of <code>error_description</code>. With it the operator finds out which of the causes it was.</p>
<p><a href="/docs/guides/when-a-sign-in-fails">When a sign-in fails</a> shows how, and has every error.</p>
</section>
<section>
<h2 class="chapter">${inAnswers ? "What the answer looks like" : "What your redirect URI gets"}</h2>
<pre><code>${inAnswers ? JSON.stringify(sample, null, 2) : redirected(sample)}</code></pre>
</section>
</div>
<h2 class="chapter">Causes and cures</h2>
<ul class="documents" role="list">
${answered.map(causesOf)}
</ul>`,
  });
}

/** Parameters of a redirect, one on each line, before they are encoded. */
const redirected = (sample: Readonly<Record<string, string>>): string =>
  Object.entries({ ...sample, state: "…", iss: "…" })
    .map(([name, value], index) => `${index === 0 ? "?" : "&"}${name}=${value}`)
    .join("\n");

const causesOf = ({ said, causes }: Answered): Html => html`<li class="document answered"><h3>${said}</h3>
<div>
${causes.map(
  ({
    cause,
    cure,
    check,
    pages,
  }: Cause) => html`${pages !== undefined && html`<p>To a person, we show the page “${pages.join("” or “")}”.</p>\n`}${cause !== undefined && html`<p>Cause: ${cause}</p>\n`}<p>Cure: ${cure}</p>
<p class="aside">An operator sees <code>${check}</code>.</p>\n`,
)}</div></li>\n`;
