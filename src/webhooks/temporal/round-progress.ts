import { type Standing, StandingKind } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import type { Delivery, DeliveryState } from "../deliveries/delivery.ts";
import type { AttemptState } from "../deliveries/outcome.ts";
import { ATTEMPTS_MAX } from "../queue/attempt-schedule.ts";
import { FAR_MS } from "../queue/far-instant.ts";

/** A round of a delivery as far as a retry engine outside the store has to know it. */
export interface DrivenDelivery extends Delivery {
  readonly state: DeliveryState;
  readonly reason: string | undefined;
  /** When the next attempt is due, wherever it waits. */
  readonly dueAt: Date | undefined;
  readonly leaseUntil: Date | undefined;
  /** How the latest attempt of the round ended; `undefined` when there was none. */
  readonly lastOutcome: AttemptState | undefined;
  readonly lastHttpStatus: number | undefined;
}

/** How long an engine waits until it asks again about a delivery that is suspended. */
const SUSPENDED_WAIT_MS = 10 * MINUTE_MS;

/** True while a restored store suspends the delivery: it is pending, and due nowhere (R-X248). */
export const isSuspended = ({
  state,
  leaseUntil,
  dueAt,
}: Pick<DrivenDelivery, "state" | "leaseUntil" | "dueAt">): boolean =>
  state === "pending" && leaseUntil === undefined && dueAt === undefined;

/**
 * The round's progress at an instant, as the message `Standing`. Waits are durations from then on, so that no two
 * clocks are compared.
 */
export function progressOf(delivery: DrivenDelivery, at: Date): Standing {
  const { state, leaseUntil, reason, attempts, delaysMs, lastOutcome, lastHttpStatus } = delivery;
  const until = waitsUntil(delivery, at) ?? new Date(at.getTime() + SUSPENDED_WAIT_MS);
  const waiting = leaseUntil === undefined ? StandingKind.WAITING : StandingKind.UNDER_WAY;
  return {
    kind: state === "pending" ? waiting : valueOfLower(StandingKind, state),
    waitMs: state === "pending" ? Math.max(0, until.getTime() - at.getTime()) : 0,
    attempts,
    attemptsMax: Math.min(ATTEMPTS_MAX, delaysMs.length + 1),
    lastOutcome: lastOutcome ?? "",
    lastHttpStatus,
    reason,
  };
}

/** The end of the lease, or when it is due; not what a clock that was ahead has written for later (R-X373). */
function waitsUntil({ leaseUntil, dueAt }: DrivenDelivery, at: Date): Date | undefined {
  const mostMs = at.getTime() + FAR_MS.lease;
  if (leaseUntil !== undefined) return leaseUntil.getTime() > mostMs ? new Date(mostMs) : leaseUntil;
  return dueAt !== undefined && dueAt.getTime() > at.getTime() + FAR_MS.wait ? at : dueAt;
}
