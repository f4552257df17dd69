import { type Html, html } from "#runtime/pages/html.ts";
import { documentationFrame } from "../frame/documentation-frame.ts";
import { DOCUMENTED, type Documented, type PartName } from "../frame/documented.ts";
import { guideChapter } from "../guides/guide-list.ts";
import { guides } from "../guides/published-guides.ts";
import { eventContract, gatewayContract, platformContract, signOnContract } from "../reference/bundles.ts";
import { breakable, prose } from "../reference/markdown.ts";
import { eventGroups, type Group, methodGroups, operationGroups } from "../reference/outline.ts";

/** The guides, then both APIs and the events: every operation and event with what it is for, and the files to download (R-D7). */
export function documentationIndexPage(language?: string): string {
  const groups: Readonly<Record<PartName, readonly Group[]>> = {
    "sign-on": operationGroups(signOnContract()),
    gateway: operationGroups(gatewayContract()),
    events: eventGroups(eventContract()),
    platform: methodGroups(platformContract()),
  };
  return documentationFrame({
    title: "Documentation",
    at: "/docs",
    language,
    body: html`<div class="wall" id="guides">
<h1>Documentation</h1>
<p class="lead">Guides take you through a task. The reference has every operation and event with samples in curl, TypeScript, Python, Go and Java, drawn from the contracts that the server itself enforces.</p>
${guideChapter("Guides", "integrators", guides())}
${guideChapter("For operators", "operators", guides())}
${guideChapter("For the platform's back end", "platforms", guides())}
</div>
<div class="pavement" id="contracts">
${DOCUMENTED.map((documented) => partOf(documented, groups[documented.page]))}
<section class="part">
<h2 class="chapter"><a href="/problems">Problems and errors</a></h2>
<p class="about">Every code that an answer or a redirect can have, with its cause and what to do.</p>
</section>
<h2 class="chapter">For programs</h2>
<p>Guides, contracts and SDKs with their addresses in one short text, for assistants: <a href="/llms.txt">llms.txt</a>. Versions, sizes and digests of all files are in <a href="/contracts/index.json">index.json</a>. A download has its version and SHA-256 in headers. These pages have a contract too: <a href="/contracts/portal.yaml" aria-label="Portal: YAML">YAML</a> <a href="/contracts/portal.json" aria-label="Portal: JSON">JSON</a>.</p>
</div>`,
    footer: html`<p>Contracts ${gatewayContract().info.version}</p>`,
  });
}

const partOf = (
  { page, title, says, downloads }: Documented,
  groups: readonly Group[],
): Html => html`<section class="part">
<h2 class="chapter"><a href="/docs/${page}">${title}</a></h2>
<p class="about">${says}</p>
<p class="facts"><span class="together">Contract: ${downloads.map(({ name, href }) => html`<a href="${href}" aria-label="${title}: ${name}">${name}</a> `)}</span></p>
<div class="columns">${groups.map(
  ({ name, says, entries }) => html`<div class="column"><h3>${name}</h3>
<div class="limits">${prose(says.split("\n\n")[0])}</div>
<ul class="listing" role="list">
${entries.map((entry) => rowOf(page, entry))}</ul></div>
`,
)}</div></section>
`;

const rowOf = (
  page: PartName,
  { anchor, title, summary, path, label, version, kind }: Group["entries"][number],
): Html =>
  kind !== "operation"
    ? html`<li><a href="/docs/${page}#${anchor}">${breakable(title)}</a>${kind === "event" && html` <span class="limits">${summary}</span>`}</li>\n`
    : html`<li><a href="/docs/${page}#${anchor}">${title}</a> <span class="limits"><span class="method">${label}${version !== undefined && ` ${version}`}</span> <code>${breakable(path ?? "")}</code></span></li>\n`;
