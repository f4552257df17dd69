import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { scriptSource } from "#runtime/pages/page-headers.ts";
import type { Texts } from "../texts/en.ts";

// Markup escapes none of its characters, so the page contains exactly what was hashed.
const SCRIPT = "document.forms[0].submit()";

/** The source of the page's script, for its headers. */
export const FORM_POST_SCRIPT = scriptSource(SCRIPT);

interface FormPostPageValues {
  /** A proven redirect URI. */
  readonly redirectUri: string;
  readonly parameters: readonly Parameter[];
}

/**
 * The page that posts an authorization response to the application (OAuth 2.0 Form Post Response Mode §2). A script
 * submits it; without script the person presses its button. No parameter may be called `submit`: it would hide the
 * form's function.
 */
export function formPostPage({ redirectUri, parameters }: FormPostPageValues, texts: Texts): string {
  const { formPost } = texts;
  return frame({
    title: formPost.title,
    language: texts.language,
    body: html`<h1>${formPost.heading}</h1>
<p class="lead">${formPost.lead}</p>
<form method="post" action="${redirectUri}">
${parameters.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<div class="choice"><button class="primary" type="submit">${formPost.submit}</button></div>
</form>
<script>${SCRIPT}</script>`,
  });
}
