import type { Delivery } from "../event-log.ts";
import type { GatewayAnswer } from "../gateway.ts";
import { type Html, html } from "../html.ts";
import type { PlatformEvent } from "../platform-event.ts";
import { listedIn } from "../structure.ts";
import { answerProblem, requestLine } from "./answer.ts";
import { layout } from "./layout.ts";
import { pretty } from "./values.ts";

/** The gateway's current state, beside the event's snapshot. */
export function currentStatePage(
  { event, number }: Extract<Delivery, { verified: true }>,
  answer: GatewayAnswer,
): string {
  const title = `${event.type}: the current state`;
  const main = html`<section class="sheet message wide">
<h1>${title}</h1>
<p>An event carries a snapshot. The current state is at its <code>links.self</code>, read with the API key.</p>
${requestLine(answer)}
${answer.status === 200 && listedNote(event, answer.body)}
<div class="pair">
<div><h2>Now, at the gateway</h2>${answer.status === 200 ? html`<pre>${pretty(answer.body)}</pre>` : answerProblem(answer)}</div>
<div><h2>Then, in the event</h2><pre>${pretty(event.data)}</pre></div>
</div>
<p class="actions"><a class="button plain" href="/events/${number}/current">Ask again</a> <a href="/#event-${number}">Back to the event</a></p>
</section>`;
  return layout(title, main);
}

/**
 * Unit types, units and locations have no address of their own: the link leads to the structure, which may or may not
 * still list them.
 */
function listedNote({ entity }: PlatformEvent, structure: unknown): Html | false {
  const isListed = listedIn(structure, entity);
  if (isListed === undefined) return false;
  return html`<p class="notice"><code>${entity.id}</code> ${isListed ? "is in the structure now." : "is not in the structure any more."}</p>`;
}
