import { performance } from "node:perf_hooks";
import type { Wake } from "#runtime/wake/wake.ts";
import { LOOK_AGAIN_MS } from "../deliveries/waits.ts";

/** How something to offer is waited for. */
interface OfferWait {
  readonly wake: Pick<Wake, "ticket" | "after">;
  /** Signalled when there may be something. */
  readonly channel: string;
  readonly waitMs: number;
  /** Ends the wait. */
  readonly waiting: AbortSignal;
}

/**
 * What `look` offers, waiting for the first if there is none; empty when the time has passed or the wait is ended. Nothing
 * is offered to a caller whose wait is ended already.
 */
export async function offered<T>(
  { wake, channel, waitMs, waiting }: OfferWait,
  look: () => Promise<readonly T[]>,
): Promise<T[]> {
  const endAt = performance.now() + waitMs;
  while (!waiting.aborted) {
    // Taken before looking, so that what comes in between is not missed.
    const ticket = wake.ticket(channel);
    const found = await look();
    if (found.length > 0) return [...found];
    const remainingMs = endAt - performance.now();
    if (remainingMs <= 0) break;
    await wake.after(channel, ticket, Math.min(remainingMs, LOOK_AGAIN_MS), waiting);
  }
  return [];
}
