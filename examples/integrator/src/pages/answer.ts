import type { GatewayAnswer } from "../gateway.ts";
import { type Html, html } from "../html.ts";
import { durationText, pretty } from "./values.ts";

/** The request and its status. A long path may break after its slashes. */
export function requestLine({ path, status, durationMs }: GatewayAnswer): Html {
  const ok = status !== undefined && status < 300;
  const breakable = path.split("/").map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
  return html`<p class="request"><span class="status ${ok ? "good" : "bad"}">${status ?? "no answer"}</span>
<span class="aside">${durationText(durationMs)}</span> <code>GET ${breakable}</code></p>`;
}

/** An unexpected answer: a problem (RFC 9457), something else, or no answer. */
export function answerProblem(answer: GatewayAnswer): Html {
  const { status, failure, body, requestId } = answer;
  if (status === undefined) {
    return html`<div class="notice bad"><p><strong>The gateway does not answer</strong> (${failure}).
Is Gatehouse running? Start it with <code>make run</code>, then <a href="/">load this page again</a>.</p></div>`;
  }
  const { title, detail, code } = (body ?? {}) as Record<string, unknown>;
  const known = typeof title === "string";
  return html`<div class="notice bad">
<p><strong>${status} ${known ? title : "An answer that the contract does not list"}</strong>
${known && typeof detail === "string" && detail !== title && html`<br>${detail}`}</p>
${!known && html`<pre>${pretty(body).slice(0, 500)}</pre>`}
<p class="aside">${typeof code === "string" && html`<code>${code}</code> · `}${requestId ? html`requestId <code>${requestId}</code>` : "no request id"}</p>
</div>`;
}
