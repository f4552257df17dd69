import events from "#generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";
import { guideChapter } from "../guides/guide-list.ts";
import { guides } from "../guides/published-guides.ts";
import { DOCUMENTED, type Documented } from "./documentation-page.ts";

/** The guides, then both APIs and the events: what each is, where to read it, and its files to download (R-D7). */
export const documentationIndexPage = (): string =>
  frame({
    title: "Documentation",
    language: "en",
    layout: "court",
    skipLink: "Skip to the content",
    indexed: true,
    body: html`<div class="wall">
<h1 class="motto">Documentation</h1>
<p class="lead">Guides take you through a task. Contracts say what each part promises, and the server itself enforces them.</p>
${guideChapter("Guides", "integrators", guides())}
${guideChapter("For operators", "operators", guides())}
<div class="arcade">
${DOCUMENTED.map(bay)}
</div>
</div>
<div class="pavement">
<h2 class="chapter">Every event</h2>
<ul class="documents" role="list">
${Object.entries(events.components.messages).map(eventRow)}
</ul>
<h2 class="chapter">For programs</h2>
<p>Versions, sizes and digests of all files stand in <a href="/contracts/index.json">index.json</a>. A download names its version and SHA-256 in headers.</p>
</div>`,
    footer: html`<p>Contracts ${events.info.version}</p>`,
  });

const bay = ({ page, title, says, downloads }: Documented) => html`<section class="bay">
<h2>${title}</h2>
<p>${says}</p>
<p class="links"><a href="/docs/${page}" aria-label="${title} documentation">Documentation</a> <span>Contract</span> ${downloads.map(({ name, href }) => html`<a href="${href}" aria-label="${title}: ${name}">${name}</a> `)}</p>
</section>
`;

/** The page of the events is drawn with one channel per message, which lies at its name in lower case. */
const eventRow = ([message, { name, summary }]: readonly [
  string,
  { name: string; summary: string },
]) => html`<li class="document">
<h3><a href="/docs/events#/channels/${message.toLowerCase()}">${name}</a></h3>
<p>${summary}</p>
</li>
`;
