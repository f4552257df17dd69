import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { WantedMessage } from "../../../desk/src/gateway/test-messages.ts";
import { newIds, SAMPLE_TYPES, sampleEvent } from "../../../desk/src/sample-events.ts";
import { SECRET } from "./receiver.ts";

export const API_KEY = "ghk_test";

interface Scripted {
  /** 0: no answer, the connection ends. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The part of the gateway that the tools use: subscriptions, a feed, test events, test messages. It keeps the contract's shapes. */
export interface FeedStandIn {
  readonly url: string;
  /** Queries of the feed, in their order. */
  readonly asked: readonly Readonly<Record<string, string>>[];
  /** Types of the test events that were triggered. */
  readonly triggered: readonly string[];
  /** How many messages each request had signed. */
  readonly signed: readonly number[];
  /** Puts events of these types into the feed. */
  add(...types: readonly string[]): readonly string[];
  /** Answers the next requests for the feed so. */
  script(...answers: readonly Scripted[]): void;
  /** Answers the next requests for signed messages so. */
  scriptSigning(...answers: readonly Scripted[]): void;
  close(): Promise<void>;
}

/** Messages as the gateway signs them. */
function testMessages(wanted: readonly WantedMessage[]) {
  const others = newIds();
  return wanted.map(({ type, unknownMember, newIds: kinds = [], layout, signedSecondsFromNow = [0] }) => {
    const example = SAMPLE_TYPES.includes(type) ? type : "client.created";
    const made = sampleEvent(example, new Date(), { type, ...(unknownMember === true && { tide: {} }) });
    const text = others(made.body, kinds);
    const body = layout === "spread" ? JSON.stringify(JSON.parse(text), null, 1) : text;
    const signed = signedSecondsFromNow.map((fromNow) => {
      const seconds = Math.floor(Date.now() / 1000) + fromNow;
      return {
        ...{ "content-type": "application/json", "webhook-id": made.id, "webhook-timestamp": `${seconds}` },
        "webhook-signature": new Webhook(SECRET).sign(made.id, new Date(seconds * 1000), body),
      };
    });
    return { id: made.id, type, body, signed };
  });
}

/** Serves the stand-in with subscriptions of these labels. */
export async function feedStandIn(labels: readonly string[] = ["marigold"]): Promise<FeedStandIn> {
  const events: { readonly id: string; readonly type: string; readonly body: string }[] = [];
  const scripted: Scripted[] = [];
  const scriptedSigning: Scripted[] = [];
  const asked: Readonly<Record<string, string>>[] = [];
  const triggered: string[] = [];
  const signedCounts: number[] = [];
  const waiting = new Set<() => void>();
  const subscriptions = labels.map((label, index) => ({
    ...{ id: `subscription_${index}`, label },
    ...(label.startsWith("api-") && { description: "Payroll nightly" }),
  }));
  const signed = ({ id, type, body }: (typeof events)[number], index: number) => {
    const at = new Date();
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
      "webhook-signature": new Webhook(SECRET).sign(id, at, body),
      "content-type": "application/json",
    };
    return { id, type, occurredAt: at.toISOString(), cursor: `c${index + 1}`, headers, body };
  };
  const problem = (response: ServerResponse, { status, headers = {}, body = {} }: Scripted) =>
    status === 0
      ? response.destroy()
      : response
          .writeHead(status, { "content-type": "application/problem+json", ...headers })
          .end(JSON.stringify({ status, code: `code_${status}`, detail: `Problem ${status}.`, ...body }));
  const good = (response: ServerResponse, body: object) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

  const feed = async (query: Readonly<Record<string, string>>, request: IncomingMessage, response: ServerResponse) => {
    asked.push(query);
    const next = scripted.shift();
    if (next !== undefined) return problem(response, next);
    const after = query.after === "now" ? events.length : Number(query.after?.slice(1) ?? 0);
    if (events.length <= after && query.wait !== "0") {
      await new Promise<void>((done) => {
        waiting.add(done);
        request.once("close", done);
        response.once("close", done);
      });
    }
    const limit = Number(query.limit);
    const data = events.map(signed).slice(after, after + limit);
    return good(response, { data, next: `c${after + data.length}`, hasMore: after + data.length < events.length });
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://gateway.example");
    if (request.headers["x-api-key"] !== API_KEY) return problem(response, { status: 401 });
    if (pathname === "/v1/webhooks/subscriptions") return good(response, { data: subscriptions });
    if (pathname.endsWith("/events")) return feed(Object.fromEntries(searchParams), request, response);
    if (pathname.endsWith("/test-messages") && scriptedSigning[0] !== undefined)
      return problem(response, scriptedSigning.shift() ?? { status: 0 });
    const next = scripted.shift();
    if (next !== undefined) return problem(response, next);
    if (pathname.endsWith("/test-messages")) {
      const { messages } = JSON.parse(await text(request)) as { readonly messages: readonly WantedMessage[] };
      signedCounts.push(messages.length);
      return good(response, { data: testMessages(messages) });
    }
    triggered.push(JSON.parse(await text(request)).type);
    return good(response, { eventId: "event_1", deliveryId: "delivery_1" });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    triggered,
    signed: signedCounts,
    add(...types) {
      const made = types.map((type) => sampleEvent(type, new Date()));
      events.push(...made);
      for (const wake of waiting) wake();
      waiting.clear();
      return made.map(({ id }) => id);
    },
    script: (...answers) => void scripted.push(...answers),
    scriptSigning: (...answers) => void scriptedSigning.push(...answers),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
