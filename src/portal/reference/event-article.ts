import { type Html, html } from "#runtime/pages/html.ts";
import { codeBox } from "../frame/code-box.ts";
import { breakable, prose } from "./markdown.ts";
import type { EventEntry } from "./outline.ts";
import { programs } from "./sample-figures.ts";
import type { Sample } from "./samples.ts";
import { schemaMembers } from "./schema-members.ts";

/** One event: when it is sent to you and what is in it; beside it what arrives, and a program that receives it. */
export function eventArticle({ anchor, title, summary, says, message }: EventEntry, sample: Sample): Html {
  const [example] = message.examples;
  const headers = Object.entries(example?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return html`<article class="topic" id="${anchor}">
<div class="says">
<h3><a class="permalink" href="#${anchor}">${breakable(title)}</a></h3>
<p class="address"><span class="method">POST</span> is sent to you</p>
<p>${summary}</p>
${prose(says)}
<p class="limits">With the <a href="#headers">headers of every delivery</a>. Acknowledge with any 2xx.</p>
<details class="closer"><summary>In the body<span class="heard"> of ${title}</span></summary>
${schemaMembers(message.payload, "received")}
</details>
</div>
<div class="shows">
<figure class="result"><figcaption><span>What arrives</span></figcaption>
${codeBox("What arrives", `${headers.join("\n")}\n\n${JSON.stringify(example?.payload, null, 2)}`)}</figure>
${programs(sample)}
</div>
</article>
`;
}
