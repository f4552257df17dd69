import type { PlatformClient, PostalAddress, Worker } from "gatehouse-sdk";
import type { Asked } from "../gateway.ts";
import { type Html, html } from "../html.ts";
import type { ConnectionDetail, PlatformOverview } from "../platform-overview.ts";
import { answerProblem, requestLine } from "./answer.ts";

const ROWS_MAX = 8;

/** The gateway's answers for our API key. */
export function gatewaySection({ connections, details }: PlatformOverview): Html {
  const count = connections.value?.length ?? 0;
  return html`<section class="sheet" id="gateway" aria-labelledby="gateway-title">
<h2 id="gateway-title">The platform</h2>
${requestLine(connections.answer)}
${connections.value ? html`<p>Our API key belongs to ${counted(count, "instance integration")}.</p>` : answerProblem(connections.answer)}
${details.map(connectionView)}
${count > details.length && html`<p class="aside">… and ${count - details.length} more that this page does not ask about.</p>`}
</section>`;
}

function connectionView({ connection, clients, workers }: ConnectionDetail): Html {
  return html`<article class="connection">
<h3>${connection.applicationInstance.instanceName} <code>${connection.id}</code></h3>
${requestLine(clients.answer)}
${clients.value ? table(clients.value, "client", CLIENT_COLUMNS) : answerProblem(clients.answer)}
${workers.map(({ client, workers }, index) => workersView(client, workers, index === 0 || !workers.value))}
</article>`;
}

function workersView(client: PlatformClient, { answer, value }: Asked<readonly Worker[]>, open: boolean): Html {
  return html`<details ${open && "open"}>
<summary>Workers of ${client.name}${value && ` (${value.length})`}</summary>
${requestLine(answer)}
${value ? table(value, "worker", WORKER_COLUMNS) : answerProblem(answer)}
</details>`;
}

type Columns<Row> = Record<string, (row: Row) => Html>;

const CLIENT_COLUMNS: Columns<PlatformClient> = {
  Client: ({ name }) => html`<strong>${name}</strong>`,
  Place: ({ location }) => html`${place(location)}`,
  Id: ({ id }) => html`<code>${id}</code>`,
};

const WORKER_COLUMNS: Columns<Worker> = {
  Worker: ({ fullName, email }) => html`<strong>${fullName}</strong><br><span class="aside">${email}</span>`,
  "Job titles": ({ jobTitles }) => html`${jobTitles.join(", ") || "–"}`,
  Place: ({ location }) => html`${place(location)}`,
};

/** On a phone each row becomes a card; `data-label` then shows the column's heading. */
function table<Row>(rows: readonly Row[], noun: string, columns: Columns<Row>): Html {
  if (rows.length === 0) return html`<p class="aside">No ${noun}s: the answer is an empty list.</p>`;
  const cells = (row: Row) =>
    Object.entries(columns).map(([head, cell]) => html`<td data-label="${head}">${cell(row)}</td>`);
  return html`<table class="rows">
<thead><tr>${Object.keys(columns).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.slice(0, ROWS_MAX).map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
</table>
${rows.length > ROWS_MAX && html`<p class="aside">… and ${counted(rows.length - ROWS_MAX, `more ${noun}`)}.</p>`}`;
}

const place = ({ city, isoCountryCode }: PostalAddress) => [city, isoCountryCode].filter(Boolean).join(", ") || "–";
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
