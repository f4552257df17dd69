import { sign } from "../signature.ts";
import type { FeedEvent } from "./feed.ts";

/** A request that a receiver must be able to live with, or must refuse. */
export interface Variant {
  /** What it is, in words. */
  readonly what: string;
  readonly event: FeedEvent;
  readonly expected: "acknowledged" | "refused";
}

const SIX_MINUTES = 6 * 60;

/**
 * What hostile weather makes of a page: newest first, each event twice, an older one again after a newer one; and, where
 * the secret is known, each with an unknown member and once signed six minutes ago.
 */
export function hostileVariants(
  events: readonly FeedEvent[],
  key: Uint8Array | undefined,
  now: Date,
): readonly Variant[] {
  const as = (what: string, event: FeedEvent, expected: Variant["expected"] = "acknowledged"): Variant => ({
    what,
    event,
    expected,
  });
  const newestFirst = events.toReversed();
  const [newest] = newestFirst;
  return [
    ...newestFirst.flatMap((event) => [
      as(events.length > 1 ? "newest first" : "as it came", event),
      as("again", event),
      ...(key === undefined
        ? []
        : [
            as("with an unknown member", withUnknownMember(event, key, now)),
            as("signed six minutes ago", signedAt(event, key, now, -SIX_MINUTES), "refused"),
          ]),
    ]),
    ...(events.length > 1 && newest !== undefined ? [as("newest again, after older ones", newest)] : []),
  ];
}

const withUnknownMember = (event: FeedEvent, key: Uint8Array, now: Date): FeedEvent =>
  signedAt({ ...event, body: JSON.stringify({ ...JSON.parse(event.body), tide: { height: 2.5 } }) }, key, now, 0);

function signedAt(event: FeedEvent, key: Uint8Array, now: Date, seconds: number): FeedEvent {
  const timestamp = Math.floor(now.getTime() / 1000) + seconds;
  const signature = sign(key, { id: event.id, timestamp, body: event.body });
  const headers = { ...event.headers, "webhook-timestamp": `${timestamp}`, "webhook-signature": signature };
  return { ...event, headers };
}
