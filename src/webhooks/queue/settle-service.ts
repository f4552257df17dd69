import type { Random } from "#runtime/basis/random.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { AttemptRepository } from "../deliveries/attempt-repository.ts";
import { HAND_OVERS_CHANNEL } from "../deliveries/delivery.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { afterAttempt, type Verdict } from "./attempt-schedule.ts";
import type { EndedClaim } from "./ended-claim.ts";
import type { Placement, QueueRepository } from "./queue-repository.ts";
import type { EndedBy, RetryEngine, Waiting } from "./retry-engine.ts";

export interface SettleDeps {
  readonly random: Random;
  readonly jitter: number;
  readonly retryEngine: RetryEngine;
  readonly queue: QueueRepository;
  readonly attempts: AttemptRepository;
  readonly subscriptions: SubscriptionRepository;
}

/** Who tells how attempts ended. */
export interface EndedReporter {
  /** For the audit. */
  readonly actor: string;
  /** True for a retry engine outside the store, false for the dispatcher and for what is found lost. */
  readonly engine: boolean;
}

/**
 * Writes how claimed attempts ended and where their deliveries go from there, inside the given change; returns those that were current.
 * A claim whose lease was taken over meanwhile is left alone: its attempt is already counted as lost (R-E8).
 */
export async function settle(
  deps: SettleDeps,
  change: Change<WebhooksTables>,
  ended: readonly EndedClaim[],
  by: EndedReporter,
): Promise<readonly EndedClaim[]> {
  const { db, at } = change;
  const placements = ended.map((claim) => toPlacement(deps, claim, { at, engine: by.engine }));
  const placed = await deps.queue.place(db, placements);
  if (placements.some(({ handOverAt }) => handOverAt !== undefined)) change.wakeAfter(HAND_OVERS_CHANNEL);
  const current = ended.filter(({ delivery }) => placed.has(delivery.sequence));
  const finished = current.map(({ delivery, ...outcome }) => ({
    delivery: delivery.sequence,
    round: delivery.round,
    number: delivery.attempts,
    ...outcome,
  }));
  await deps.attempts.finish(db, finished, at);
  await disableGone(deps, change, current, by.actor);
  return current;
}

function toPlacement(deps: SettleDeps, claim: EndedClaim, by: EndedBy): Placement {
  const { sequence, fence, attempts, delaysMs } = claim.delivery;
  const verdict = afterAttempt({ ...claim, attempts, delaysMs, endedAt: by.at }, deps);
  return { sequence, fence, ...placeOf(deps, verdict, by) };
}

function placeOf(
  { retryEngine }: SettleDeps,
  verdict: Verdict,
  by: EndedBy,
): Pick<Placement, "state" | "reason" | keyof Waiting> {
  switch (verdict.kind) {
    case "delivered":
      return { state: "delivered" };
    case "exhausted":
      return { state: "exhausted", reason: verdict.reason };
    case "again":
      return { state: "pending", ...retryEngine.wait(verdict.at, by) };
  }
}

/** An endpoint that says it is gone is not asked again (R-E6). */
async function disableGone(
  { subscriptions }: SettleDeps,
  { db, audit }: Change<WebhooksTables>,
  current: readonly EndedClaim[],
  actor: string,
): Promise<void> {
  const gone = current.filter(({ outcome }) => outcome === "gone").map(({ delivery }) => delivery.subscriptionId);
  for (const subscriptionId of new Set(gone)) {
    const changed = await subscriptions.disable(db, subscriptionId, "gone");
    if (changed)
      await audit({ actor, action: "subscription.disable", object: subscriptionId, facts: { reason: "gone" } });
  }
}
