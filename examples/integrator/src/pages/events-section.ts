import { leadsToGateway } from "gatehouse-sdk";
import type { Delivery } from "../event-log.ts";
import { type Html, html } from "../html.ts";
import type { Settings } from "../settings.ts";
import { durationText, pretty, statedTimeView, timeView } from "./values.ts";

/** What arrived at the webhook endpoint, newest first. */
export function eventsSection(settings: Settings, deliveries: readonly Delivery[]): Html {
  return html`<section class="sheet" id="events" aria-labelledby="events-title">
<h2 id="events-title">Events</h2>
<p>Events arrive at <code>${settings.endpointUrl}</code>. Each is checked by a Standard Webhooks verifier before anything is read from it.</p>
<p class="actions"><a class="button plain" href="/#events" data-reload>Look for new events</a> <span class="live" role="status" hidden>New ones appear by themselves.</span></p>
<div id="event-list">
${deliveries.map((delivery) => deliveryView(settings, delivery))}
<p class="empty">Nothing arrived yet. The first sign-in of an invited person sends <code>user.updated</code>; a new client sends <code>client.created</code>, a new worker <code>worker.onboarded</code>, and so on for users, workers, units and locations.</p>
</div>
</section>`;
}

/** One POST. Its id lets the script on the page recognise new ones. */
export function deliveryView(settings: Settings, delivery: Delivery): Html {
  return html`<article class="event ${delivery.verified ? "good" : "bad"}" id="event-${delivery.number}" data-number="${delivery.number}">
${delivery.verified ? verifiedView(settings, delivery) : refusedView(delivery)}
</article>`;
}

function verifiedView({ gatewayUrl }: Settings, delivery: Extract<Delivery, { verified: true }>): Html {
  const { event, number, webhookId, arrivedAfterMs, duplicate } = delivery;
  const self = selfLink(event.data);
  return html`<p class="stamp">Verified</p>
<h3>${typeView(event.type)}</h3>
${duplicate && html`<p class="notice">Duplicate: an event with this <code>webhook-id</code> came before. Acknowledged, and otherwise ignored.</p>`}
<dl class="members">
<div><dt>webhook-id</dt><dd><code>${webhookId}</code></dd></div>
<div><dt>occurred</dt><dd>${statedTimeView(event.occurredAt)}</dd></div>
<div><dt>arrived</dt><dd>after ${durationText(arrivedAfterMs)}</dd></div>
</dl>
<details><summary>Data</summary><pre>${pretty(event.data)}</pre></details>
${
  leadsToGateway(gatewayUrl, self)
    ? html`<p><a href="/events/${number}/current">Read the current state at the gateway</a></p>`
    : self !== undefined && html`<p class="aside">Its link does not lead into the gateway and is not followed.</p>`
}`;
}

/** The name of a type, which a narrow page breaks at its dot alone. */
const typeView = (type: string) => type.split(".").map((word, index) => (index === 0 ? word : html`<wbr>.${word}`));

function refusedView({ webhookId, reason, receivedAt, excerpt }: Extract<Delivery, { verified: false }>): Html {
  return html`<p class="stamp">Refused</p>
<h3>${reason}</h3>
<p>Not acknowledged. Whatever it says is not to be believed.</p>
<dl class="members">
<div><dt>webhook-id</dt><dd>${webhookId ? html`<code>${webhookId}</code>` : html`<span class="aside">none</span>`}</dd></div>
<div><dt>received</dt><dd>${timeView(receivedAt)}</dd></div>
</dl>
${excerpt && html`<details><summary>What the body begins with</summary><pre>${excerpt}</pre></details>`}`;
}

/** One POST in a line: what the verifier said of it, and what it was. */
export function deliveryLine(delivery: Delivery): string {
  if (!delivery.verified) return `refused   ${delivery.reason}`;
  const { event, webhookId, arrivedAfterMs, duplicate } = delivery;
  const name = (event.data as { name?: unknown } | null)?.name;
  const parts = [event.type, typeof name === "string" ? name : "", webhookId, `after ${durationText(arrivedAfterMs)}`];
  const line = ["verified", ...parts, duplicate ? "duplicate" : ""].filter((part) => part !== "").join("  ");
  // What a terminal could take for a command is not shown to it.
  return line.replaceAll(/\p{Cc}/gu, "?");
}

export function selfLink(data: unknown): unknown {
  return (data as { links?: { self?: unknown } } | null)?.links?.self;
}
