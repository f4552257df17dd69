import { type Html, html } from "#runtime/pages/html.ts";
import { closedGate, courtPage } from "../frame/court-page.ts";
import type { GuidePlace } from "../guides/published-guides.ts";

/** One row of openapi/problems.yaml with its code. `cause` and `fix` set words of programs in backquotes. */
interface ProblemPageValues {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  /** A complete response body of this problem type. */
  readonly sample: object;
  /** Where a guide says more. */
  readonly place: GuidePlace;
}

/** The page that a problem's `type` leads to (RFC 9457 §3.1.1, R-G1): cause, fix, a guide and a sample answer. */
export const problemPage = ({ code, status, title, cause, fix, sample, place }: ProblemPageValues): string =>
  explained({
    title,
    code,
    label: String(status),
    body: html`<div class="facing">
<section>
<h2 class="chapter">What happened</h2>
<p>${withCode(cause)}</p>
<h2 class="chapter">What to do</h2>
<p>${withCode(fix)}</p>
<p>More in the guide “${place.guide}”: <a href="${place.href}">${place.section}</a>.</p>
</section>
<section>
<h2 class="chapter">What the answer looks like</h2>
<pre><code>${JSON.stringify(sample, null, 2)}</code></pre>
<p class="aside">The header <code>x-request-id</code> has the <code>requestId</code> too. Give it to the operator when you ask about a request.</p>
</section>
</div>`,
  });

/** The page about one error code; `label` is on the closed gate. */
export const explained = ({
  title,
  code,
  label,
  body,
}: {
  readonly title: string;
  readonly code: string;
  readonly label: string;
  readonly body: Html;
}): string =>
  courtPage({
    title,
    body: html`${closedGate(label, title, html`Error code: <code>${code}</code>`)}
<div class="pavement">
${body}
</div>`,
    footer: html`<p><a href="/problems">All problems and errors</a> · <a href="/docs">Documentation</a> · <a href="/">Front page</a></p>`,
  });

/** Text with the words between backquotes set as code. An odd backquote stays as it is. */
export const withCode = (text: string): readonly (string | Html)[] =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part,
    );
