import { type Html, html } from "#runtime/pages/html.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { documentationFrame } from "../frame/documentation-frame.ts";
import type { Documented, PartName } from "../frame/documented.ts";
import { languageChooser } from "../frame/language-chooser.ts";
import { breakable, prose } from "../reference/markdown.ts";
import type { Group } from "../reference/outline.ts";
import { PARTS, type Part } from "../reference/reference-parts.ts";

/** The address to show in the place of the contract's variable; events go to the integrator's endpoints. */
const serverOf = (page: PartName, { issuer, gatewayUrl }: Servers): string | undefined =>
  ({ "sign-on": issuer, gateway: gatewayUrl, events: undefined, platform: undefined })[page];

/** One contract to read, drawn from the published bundle (R-D7, R-X192). Needs no script. */
export function documentationPage(
  { page, title, says, downloads }: Documented,
  servers: Servers,
  language?: string,
): string {
  const part = PARTS[page](servers);
  const server = serverOf(page, servers);
  return documentationFrame({
    title: `${title} documentation`,
    at: `/docs/${page}`,
    language,
    body: html`<div class="reference">
${contents(title, part)}
<div class="chapters">
<section class="intro">
<h1>${title}</h1>
<p class="lead">${says}</p>
<p class="facts">${server !== undefined && html`<span>Address: <code>${server}</code></span> `}<span class="together">Contract ${part.version}: ${downloads.map(({ name, href }) => html`<a href="${href}" aria-label="${title}: ${name}">${name}</a> `)}</span></p>
${part.intro}
</section>
${part.languages.length > 0 && languageChooser("Samples in", part.languages, language)}
${part.groups.map(
  (group) => html`<section class="group" aria-labelledby="${group.anchor}">
<h2 id="${group.anchor}">${group.name}</h2>
${prose(group.says)}
${group.entries.map((entry) => part.draw(entry))}</section>
`,
)}
${part.sections.map(
  ({ anchor, name, body }) => html`<section class="group" aria-labelledby="${anchor}">
<h2 id="${anchor}">${name}</h2>
${body}</section>
`,
)}
</div>
</div>`,
    footer: html`<p>${title}, contract ${part.version} · <a href="/docs">Documentation</a></p>`,
  });
}

/** The list of contents: open beside the text where there is room, above it otherwise. */
const contents = (
  title: string,
  { groups, sections }: Part,
): Html => html`<nav class="contents" aria-label="${title} contents" tabindex="0">
<details><summary>Contents</summary>
${groups.map(groupOf)}<p class="menu-group">For all of them</p>
<ul role="list">${sections.map(({ anchor, name }) => html`<li><a href="#${anchor}">${name}</a></li>`)}</ul>
</details>
</nav>`;

const groupOf = ({
  anchor,
  name,
  entries,
}: Group): Html => html`<p class="menu-group"><a href="#${anchor}">${name}</a></p>
<ul role="list">${entries.map((entry) => html`<li><a href="#${entry.anchor}"><span>${breakable(entry.title)}</span>${entry.kind === "operation" && html` <span class="method">${entry.label}${entry.version !== undefined && ` ${entry.version}`}</span>`}</a></li>\n`)}</ul>
`;
