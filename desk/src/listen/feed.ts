import { type Gateway, type GatewayAnswer, membersOf } from "../gateway/gateway.ts";

/** An event of the feed, as an endpoint would get it. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  /** The place behind it. */
  readonly cursor: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that is signed. */
  readonly body: string;
}

export interface FeedPage {
  readonly data: readonly FeedEvent[];
  readonly next: string;
}

function isPage(body: unknown): boolean {
  const { data, next } = membersOf(body);
  return typeof next === "string" && Array.isArray(data) && data.every(isEvent);
}

function isEvent(one: unknown): boolean {
  const { id, type, cursor, headers, body } = membersOf(one);
  return [id, type, cursor, body, ...Object.values(membersOf(headers))].every((text) => typeof text === "string");
}

const LIMIT = 50;
/** What the network may take beside the wait. */
const BESIDE_MS = 10_000;

/** Reads a page of the feed behind a cursor; `undefined` is the oldest that is kept. */
export const readFeed = (
  gateway: Gateway,
  subscriptionId: string,
  {
    after,
    waitSeconds,
    signal,
  }: {
    readonly after: string | undefined;
    readonly waitSeconds: number;
    readonly signal: AbortSignal;
  },
): Promise<GatewayAnswer> =>
  gateway.ask({
    path: `/v1/webhooks/subscriptions/${subscriptionId}/events`,
    query: { after, limit: `${LIMIT}`, wait: `${waitSeconds}` },
    isExpected: isPage,
    timeoutMs: waitSeconds * 1000 + BESIDE_MS,
    signal,
  });
