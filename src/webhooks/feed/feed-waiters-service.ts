import { Failure } from "#runtime/basis/errors.ts";
import { pause } from "#runtime/process/loop.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { FEED_CHANNEL, FEED_ENDS_CHANNEL } from "../deliveries/delivery.ts";
import { LOOK_AGAIN_MS } from "../deliveries/waits.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";
import type { FeedRepository } from "./feed-repository.ts";

/** Of one process. */
const WAITERS_MAX = 1_000;
/** More than the programs that wait for one feed. */
const WAITERS_PER_SUBSCRIPTION_MAX = 10;
/** How long a deletion may go unnoticed whose wake-up is lost. */
const LOOK_FOR_DELETED_MS = 5_000;
/** Events that come one after the other are looked for together. */
const PAUSE_MS = 20;
const RETRY_SECONDS = 1;

/** Reads of feeds that wait for the next event. */
export interface FeedWaiters {
  /** How many deletions were announced; taken before the caller looks for its subscription. */
  ticket(): number;
  /**
   * Returns when the subscription has a delivery behind what the caller has seen; when it is deleted; when `timeoutMs`
   * passed; or when the signal is aborted. It may also return early.
   * @throws RESOURCE_EXHAUSTED (too_many_waiting) when too many wait already, for this subscription or its integration.
   */
  after(reader: Reader, seen: Seen, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** Whose feed is read. */
type Reader = Pick<Signer, "subscriptionId" | "integrationId">;

/** What a reader knows when it begins to wait. */
interface Seen {
  /** The end of the feed that it has read. */
  readonly end: number;
  /** The ticket with which it has found its subscription. */
  readonly ticket: number;
}

interface Waiter extends Reader {
  seen: number;
  readonly done: () => void;
}

interface WaitersDeps {
  readonly feed: Pick<FeedRepository, "findBounds" | "listReceivers" | "listKept">;
  readonly wake: Pick<Wake, "ticket" | "after">;
}

/**
 * Everyone who waits is served by one look, which asks for what is new and not for each of them. Another one asks who is
 * still there, once for each time that a deletion is announced, and every five seconds (R-X290).
 */
export function feedWaiters({ feed, wake }: WaitersDeps): FeedWaiters {
  const waiters = new Set<Waiter>();
  let looking: AbortController | undefined;
  let lookedUntil = 0;

  async function look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ticket = wake.ticket(FEED_CHANNEL);
      await lookOnce();
      await wake.after(FEED_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
      await pause(PAUSE_MS, signal);
    }
  }

  async function lookOnce(): Promise<void> {
    try {
      const { end: until } = await feed.findBounds();
      lookedUntil = Math.max(lookedUntil, until);
      const behind = [...waiters].filter(({ seen }) => seen < until);
      if (behind.length === 0) return;
      const after = Math.min(...behind.map(({ seen }) => seen));
      const receivers = await feed.listReceivers({ after, until });
      for (const waiter of behind) {
        if (receivers.has(waiter.subscriptionId)) waiter.done();
        else waiter.seen = until;
      }
    } catch {
      // Each of them reads for itself, and is answered with the store's trouble.
      for (const waiter of waiters) waiter.done();
    }
  }

  async function lookForDeleted(signal: AbortSignal): Promise<void> {
    for (let ticket = wake.ticket(FEED_ENDS_CHANNEL); ; ) {
      await wake.after(FEED_ENDS_CHANNEL, ticket, LOOK_FOR_DELETED_MS, signal);
      if (signal.aborted) return;
      ticket = wake.ticket(FEED_ENDS_CHANNEL);
      await endDeleted();
    }
  }

  async function endDeleted(): Promise<void> {
    const asked = [...waiters];
    try {
      const kept = await feed.listKept([...new Set(asked.map(({ subscriptionId }) => subscriptionId))]);
      for (const waiter of asked) if (!kept.has(waiter.subscriptionId)) waiter.done();
    } catch {
      for (const waiter of asked) waiter.done();
    }
  }

  return {
    ticket: () => wake.ticket(FEED_ENDS_CHANNEL),
    after({ subscriptionId, integrationId }, { end: seen, ticket }, timeoutMs, signal) {
      if (signal.aborted || timeoutMs <= 0) return Promise.resolve();
      // What came since the caller read may have been looked for already. Or the end is before what was looked for, since a
      // transaction under way showed itself late: the caller must not ask again and again until it ends.
      if (seen < lookedUntil) return pause(Math.min(PAUSE_MS, timeoutMs), signal);
      if (wake.ticket(FEED_ENDS_CHANNEL) !== ticket) return Promise.resolve();
      assertRoom(waiters, { subscriptionId, integrationId });
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          waiters.delete(waiter);
          if (waiters.size === 0) {
            looking?.abort();
            looking = undefined;
          }
          resolve();
        };
        const waiter: Waiter = { subscriptionId, integrationId, seen, done };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener("abort", done, { once: true });
        waiters.add(waiter);
        if (looking === undefined) {
          looking = new AbortController();
          void look(looking.signal);
          void lookForDeleted(looking.signal);
        }
      });
    },
  };
}

/** An integration gets a place while it has fewer than are free, so that one alone leaves half of them to others. */
function assertRoom(waiters: ReadonlySet<Waiter>, { subscriptionId, integrationId }: Reader): void {
  const ofIntegration = [...waiters].filter((waiter) => waiter.integrationId === integrationId);
  const own = ofIntegration.filter((waiter) => waiter.subscriptionId === subscriptionId).length;
  if (ofIntegration.length < WAITERS_MAX - waiters.size && own < WAITERS_PER_SUBSCRIPTION_MAX) return;
  throw new Failure(
    "RESOURCE_EXHAUSTED",
    "too_many_waiting",
    own < WAITERS_PER_SUBSCRIPTION_MAX
      ? "Too many reads of feeds are waiting. Try again in a moment, or read without waiting."
      : "Too many reads of this feed are waiting. Let one program wait for it, or read without waiting.",
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
