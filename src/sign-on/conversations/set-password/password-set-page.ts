import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import type { Texts } from "../../texts/en.ts";

/** The page after a password was set. It has no link: only an application can begin a sign-in. */
export const passwordSetPage = ({ email }: { readonly email: string }, texts: Texts): string => {
  const { passwordSet } = texts;
  return frame({
    title: passwordSet.title,
    language: texts.language,
    body: html`<h1>${passwordSet.title}</h1>
<p>${passwordSet.whose(html`<bdi class="value">${email}</bdi>`)}</p>
<h2>${texts.errorPage.whatToDo}</h2>
<p>${passwordSet.next}</p>`,
    footer: html`<p>${passwordSet.footer}</p>`,
  });
};
