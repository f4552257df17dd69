import type { Change } from "#runtime/changes/change.ts";
import { keyOf } from "../deliveries/attempt-key.ts";
import type { AttemptRepository } from "../deliveries/attempt-repository.ts";
import { DELIVERIES_CHANNEL, type Delivery } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import type { QueueRepository } from "./queue-repository.ts";
import type { RetryEngine } from "./retry-engine.ts";

const PAUSE_MS_MAX = 600_000;

export interface UnsentDeps {
  readonly queue: QueueRepository;
  readonly attempts: AttemptRepository;
  readonly retryEngine: RetryEngine;
}

/** A claimed delivery whose request certainly never left. */
export interface Unsent {
  readonly delivery: Delivery;
  /** How soon it is to be offered again. */
  readonly pauseMs: number;
}

/**
 * Takes attempts back that were recorded and never made: none is spent, and the delivery waits for another (R-X142, R-X143). A claim that
 * is no longer current is left alone: its attempt counts. Returns how many were taken back.
 */
export async function takeBackUnsent(
  { queue, attempts, retryEngine }: UnsentDeps,
  { db, at, wakeAfter }: Change<WebhooksTables>,
  unsent: readonly Unsent[],
  { engine }: { readonly engine: boolean },
): Promise<number> {
  if (unsent.length === 0) return 0;
  const placements = unsent.map(({ delivery: { sequence, fence }, pauseMs }) => {
    const until = new Date(at.getTime() + Math.min(PAUSE_MS_MAX, Math.max(0, pauseMs)));
    const waiting = engine ? retryEngine.wait(until, { at, engine }) : { dueAt: until };
    return { sequence, fence, state: "pending" as const, withdrawn: true, ...waiting };
  });
  const placed = await queue.place(db, placements);
  const taken = unsent.flatMap(({ delivery }) => (placed.has(delivery.sequence) ? [keyOf(delivery)] : []));
  await attempts.withdraw(db, taken);
  wakeAfter(DELIVERIES_CHANNEL);
  return taken.length;
}
