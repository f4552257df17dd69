import { frame } from "#runtime/pages/frame.ts";
import { type Html, html } from "#runtime/pages/html.ts";

type Frame = Parameters<typeof frame>[0];

/** A page to read, with the way home; search engines may list it. */
export const courtPage = (page: Omit<Frame, "language" | "layout" | "skipLink">): string =>
  frame({
    language: "en",
    layout: "court",
    skipLink: "Skip to the content",
    indexed: true,
    footer: html`<p><a href="/">Front page</a></p>`,
    ...page,
  });

/** The head of a page about something that went wrong: the closed gate, with a word on it. */
export const closedGate = (word: string, title: string, lead: Html): Html => html`<div class="wall">
<div class="closed">
<p class="bars"><span>${word}</span></p>
<div>
<h1>${title}</h1>
<p class="lead">${lead}</p>
</div>
</div>
</div>`;
