import { PROBLEMS } from "#generated/problems.ts";
import { SIGN_ON_ERRORS } from "#generated/sign-on-errors.ts";
import { html } from "#runtime/pages/html.ts";
import { courtPage } from "../frame/court-page.ts";
import { withCode } from "./problem-page.ts";
import { signOnErrorPageName } from "./sign-on-error-page.ts";

/** Every kind of problem of the gateway and the portal, and every error of sign-on, each with its page (R-X376). */
export const problemListPage = (): string =>
  courtPage({
    title: "Problems and errors",
    body: html`<div class="wall">
<h1>Problems and errors</h1>
<p class="lead">Each has a page with its cause and what to do.</p>
</div>
<div class="pavement">
<h2 class="chapter">Problems of the gateway</h2>
<ul class="documents" role="list">
${Object.entries(PROBLEMS).map(([code, { status, title, cause }]) =>
  row(code.replaceAll("_", "-"), `${title} (${status})`, cause),
)}</ul>
<h2 class="chapter">Errors of sign-on</h2>
<ul class="documents" role="list">
${Object.entries(SIGN_ON_ERRORS).map(([code, { meaning }]) => row(signOnErrorPageName(code), code, meaning))}</ul>
</div>`,
  });

const row = (page: string, title: string, says: string) =>
  html`<li class="document"><h3><a href="/problems/${page}">${title}</a></h3>
<p>${withCode(says)}</p></li>
`;
