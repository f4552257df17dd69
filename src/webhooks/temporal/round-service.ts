import type {
  CancelDeliveryRequest,
  CancelDeliveryResponse,
  ClaimOneRequest,
  ClaimOneResponse,
  DeliveryRound,
  RecordOneRequest,
  RecordOneResponse,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { StandingKind } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { invalidArgument, notFound, unavailable } from "#runtime/basis/errors.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { keyOf } from "../deliveries/attempt-key.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { isNotSent, toOutcome } from "../deliveries/outcome.ts";
import type { ClaimDeps } from "../queue/claim-service.ts";
import { toClaimedAttempt } from "../queue/claimed-attempt.ts";
import type { DeliveryMetrics } from "../queue/delivery-metrics.ts";
import type { EndedClaim } from "../queue/ended-claim.ts";
import { isOf, toEndedClaim } from "../queue/reported-outcome.ts";
import type { Sender } from "../queue/sender.ts";
import { settle } from "../queue/settle-service.ts";
import { standingOf } from "../queue/standing-service.ts";
import { takeBackUnsent } from "../queue/unsent-service.ts";
import type { HoldReason } from "../subscriptions/hold.ts";
import type { WebhooksTables } from "../tables.ts";
import type { HandOverRepository } from "./hand-over-repository.ts";
import { type DrivenDelivery, roundStanding } from "./round-standing.ts";

/** How soon an engine asks again when an endpoint's host has no place free. */
const CROWDED_WAIT_MS = 2_000;

export interface RoundDeps extends ClaimDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly handOvers: HandOverRepository;
  readonly metrics: DeliveryMetrics;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Attempts that may be under way to one origin. */
  readonly perOrigin: number;
}

/**
 * Takes one delivery for its next attempt: recorded and signed, like every attempt, before it leaves (R-E8). Whoever asks too early, twice,
 * or about what has ended gets the standing alone, and no attempt is made.
 * @throws NOT_FOUND for a round that is not current; UNAVAILABLE when we cannot do our part, which costs no attempt.
 */
export const claimOne =
  (deps: RoundDeps) =>
  async ({ round, now, claim: name }: ClaimOneRequest, call: Call): Promise<ClaimOneResponse> => {
    const { answer, lost } = await deps.changes.run(async (change) => {
      const lost = await settleLost(deps, change, await findRound(deps, change, round), call.peer);
      return {
        lost,
        answer: await claim(deps, change, await findRound(deps, change, round), { now, name: name ?? "" }),
      };
    });
    deps.metrics.ended(lost, deps.clock.now());
    return answer;
  };

async function claim(
  deps: RoundDeps,
  change: Change<WebhooksTables>,
  delivery: DrivenDelivery,
  { now, name }: { readonly now: boolean; readonly name: string },
): Promise<ClaimOneResponse> {
  const { db, at, wakeAfter } = change;
  const standing = roundStanding(delivery, at);
  const isDue = standing.kind === StandingKind.STANDING_KIND_WAITING && (now || standing.waitMs === 0);
  if (!isDue) return { standing };

  const [signer] = await deps.subscriptions.listSigners(db, [delivery.subscriptionId], at);
  const held = signer === undefined ? undefined : standingOf(signer, deps, at);
  if (held?.kind !== "sends") {
    const { state, reason = "subscription_deleted" satisfies HoldReason } = held?.place ?? { state: "cancelled" };
    if (state === "pending") throw unavailable("The delivery cannot be signed at the moment.", { detail: delivery.id });
    await deps.handOvers.end(db, delivery.sequence, { state, reason });
    return { standing: roundStanding({ ...delivery, state, reason }, at) };
  }

  const underWay = await deps.queue.countUnderWay(db);
  if ((underWay.get(delivery.endpointOrigin) ?? 0) >= deps.perOrigin) {
    return { standing: { ...standing, kind: StandingKind.STANDING_KIND_CROWDED, waitMs: CROWDED_WAIT_MS } };
  }
  wakeAfter(DELIVERIES_CHANNEL);
  return take(deps, change, delivery, { sender: held, name });
}

async function take(
  deps: RoundDeps,
  { db, at }: Change<WebhooksTables>,
  delivery: DrivenDelivery,
  { sender, name }: { readonly sender: Sender; readonly name: string },
): Promise<ClaimOneResponse> {
  const leaseUntil = new Date(at.getTime() + deps.leaseMs);
  const claimed = await deps.handOvers.claim(db, delivery.sequence, { leaseUntil, name });
  await deps.attempts.start(db, [{ ...keyOf(claimed), endpointUrl: sender.endpointUrl }], at);
  const bodies = await deps.queue.findBodies(db, [claimed.sequence]);
  const body = bodies.get(claimed.sequence);
  return {
    attempt: toClaimedAttempt({ delivery: claimed, sender, body, at, userAgent: deps.userAgent }),
    standing: roundStanding({ ...delivery, ...claimed, leaseUntil, lastOutcome: "in_flight" }, at),
  };
}

/**
 * Records how the attempt ended and tells what follows.
 * @throws INVALID_ARGUMENT when the outcome has no class; NOT_FOUND for a round that is not current.
 */
export const recordOne =
  (deps: RoundDeps) =>
  async ({ outcome }: RecordOneRequest, call: Call): Promise<RecordOneResponse> => {
    if (outcome === null || (toOutcome(outcome.class) === undefined && !isNotSent(outcome.class))) {
      throw invalidArgument([{ field: "outcome.class", reason: "must be a known class" }]);
    }
    const { answer, ended } = await deps.changes.run(async (change) => {
      const { db, at, wakeAfter } = change;
      await findRound(deps, change, outcome);
      const underWay = await deps.queue.listUnderWay(db, [outcome.deliveryId]);
      const current = underWay.filter((delivery) => isOf(outcome, delivery));
      const isSent = !isNotSent(outcome.class);
      const unsent = isSent ? [] : current.map((delivery) => ({ delivery, pauseMs: outcome.pauseMs ?? 0 }));
      await takeBackUnsent(deps, change, unsent, { engine: true });
      const claims = isSent ? current.map((delivery) => toEndedClaim(outcome, delivery)) : [];
      const ended = await settle(deps, change, claims, { actor: call.peer, engine: true });
      wakeAfter(DELIVERIES_CHANNEL);
      return { ended, answer: { standing: roundStanding(await findRound(deps, change, outcome), at) } };
    });
    deps.metrics.ended(ended, deps.clock.now());
    return answer;
  };

/**
 * Cancels what waits. One that is under way or has ended stays as it is, and the answer says so.
 * @throws NOT_FOUND for a round that is not current.
 */
export const cancelDelivery =
  (deps: RoundDeps) =>
  async ({ round }: CancelDeliveryRequest, call: Call): Promise<CancelDeliveryResponse> =>
    deps.changes.run(async (change) => {
      const delivery = await findRound(deps, change, round);
      const standing = roundStanding(delivery, change.at);
      if (standing.kind !== StandingKind.STANDING_KIND_WAITING) return { standing };
      await deps.handOvers.end(change.db, delivery.sequence, { state: "cancelled", reason: "operator" });
      await change.audit({
        actor: call.peer,
        action: "delivery.cancel",
        object: delivery.id,
        facts: { attempts: delivery.attempts },
      });
      return { standing: roundStanding({ ...delivery, state: "cancelled", reason: "operator" }, change.at) };
    });

async function findRound(
  { handOvers }: RoundDeps,
  { db }: Change<WebhooksTables>,
  round: DeliveryRound | null | undefined,
): Promise<DrivenDelivery> {
  const found = await handOvers.find(db, { deliveryId: round?.deliveryId ?? "", round: round?.round ?? 0 });
  if (found === undefined)
    throw notFound("delivery_round_not_found", "There is no such delivery, or no such round of it.");
  return found;
}

/** An attempt whose lease has passed is spent; the engine that asks about it is told what follows. */
async function settleLost(
  deps: RoundDeps,
  change: Change<WebhooksTables>,
  delivery: DrivenDelivery,
  actor: string,
): Promise<readonly EndedClaim[]> {
  if (delivery.leaseUntil === undefined || delivery.leaseUntil > change.at) return [];
  return settle(deps, change, [{ delivery, outcome: "lost" }], { actor, engine: true });
}
