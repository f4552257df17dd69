import { type Gateway, isPassing, problemError } from "../gateway/gateway.ts";
import { olderGateway, type SignedMessages, testMessagesRequest } from "../gateway/test-messages.ts";
import { sign } from "../signature.ts";
import type { FeedEvent } from "./feed.ts";
import { PassingTrouble } from "./passing-trouble.ts";

/** A request that a receiver must be able to live with, or must refuse. */
export interface Variant {
  /** What it is, in words. */
  readonly what: string;
  readonly event: FeedEvent;
  readonly expected: "acknowledged" | "refused";
}

/** What must be signed again: an event with an unknown member, and one that was signed six minutes ago. */
interface Altered {
  readonly unknownMember: FeedEvent;
  readonly old: FeedEvent;
}

/** Alters each of the events. */
type Alter = (events: readonly FeedEvent[]) => Promise<readonly Altered[]>;

const SIX_MINUTES = 6 * 60;

/**
 * What hostile weather makes of a page: newest first, each event twice, an older one again after a newer one; each with an
 * unknown member, and once signed six minutes ago. Where the gateway signs, the last two are test events.
 */
export async function hostileVariants(events: readonly FeedEvent[], alter: Alter): Promise<readonly Variant[]> {
  const as = (what: string, event: FeedEvent, expected: Variant["expected"] = "acknowledged"): Variant => ({
    what,
    event,
    expected,
  });
  const newestFirst = events.toReversed();
  const [newest] = newestFirst;
  const altered = await alter(newestFirst);
  return [
    ...newestFirst.flatMap((event, index) => {
      const again = altered[index];
      return [
        as(events.length > 1 ? "newest first" : "as it came", event),
        as("again", event),
        ...(again === undefined
          ? []
          : [as("with an unknown member", again.unknownMember), as("signed six minutes ago", again.old, "refused")]),
      ];
    }),
    ...(events.length > 1 && newest !== undefined ? [as("newest again, after older ones", newest)] : []),
  ];
}

/** The same events, signed here by the secret. */
export const alteredBySecret =
  (key: Uint8Array, now: () => Date): Alter =>
  async (events) =>
    events.map((event) => ({
      unknownMember: signedAt(
        { ...event, body: JSON.stringify({ ...JSON.parse(event.body), tide: { height: 2.5 } }) },
        key,
        now(),
        0,
      ),
      old: signedAt(event, key, now(), -SIX_MINUTES),
    }));

/**
 * Test events of the same types, signed by the gateway: what a key alone can have signed.
 * @throws PassingTrouble when it may answer later; CommandError when it refuses for good.
 */
export const alteredByGateway =
  (gateway: Gateway, subscriptionId: string): Alter =>
  async (events) => {
    if (events.length === 0) return [];
    const wanted = events.flatMap(({ type }) => [
      { type, unknownMember: true },
      { type, signedSecondsFromNow: [-SIX_MINUTES] },
    ]);
    const answer = await gateway.ask(testMessagesRequest(subscriptionId, wanted));
    if (answer.kind === "none")
      throw new PassingTrouble(`${gateway.address.origin} does not answer (${answer.reason})`);
    if (answer.kind === "foreign")
      throw new PassingTrouble(`what answers at ${gateway.address.href} is not the gateway`);
    if (answer.kind === "problem") {
      const { problem } = answer;
      if (!isPassing(problem)) throw problemError(problem, olderGateway(problem));
      throw new PassingTrouble(`the gateway answers ${problem.status}`, problem.retryAfterMs);
    }
    const made = (answer.body as SignedMessages).data.map(({ id, type, body, signed: [headers = {}] }) => ({
      id,
      type,
      body,
      headers,
    }));
    return events.flatMap(({ cursor }, index) => {
      const [unknownMember, old] = made.slice(2 * index);
      return unknownMember === undefined || old === undefined
        ? []
        : [{ unknownMember: { ...unknownMember, cursor }, old: { ...old, cursor } }];
    });
  };

function signedAt(event: FeedEvent, key: Uint8Array, now: Date, seconds: number): FeedEvent {
  const timestamp = Math.floor(now.getTime() / 1000) + seconds;
  const signature = sign(key, { id: event.id, timestamp, body: event.body });
  const headers = { ...event.headers, "webhook-timestamp": `${timestamp}`, "webhook-signature": signature };
  return { ...event, headers };
}
