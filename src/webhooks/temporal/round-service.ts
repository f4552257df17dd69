import {
  type CancelDeliveryRequest,
  type CancelDeliveryResponse,
  type ClaimOneRequest,
  type ClaimOneResponse,
  type DeliveryRound,
  type RecordOneRequest,
  type RecordOneResponse,
  StandingKind,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { invalidArgument, notFound, unavailable } from "#runtime/basis/errors.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { LockQueue } from "#runtime/database/lock-queue.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { DELIVERIES_CHANNEL, type Ending } from "../deliveries/delivery.ts";
import { isKnownClass } from "../deliveries/outcome.ts";
import { isForAnother, isUnproven, type SignDeps, sortByReceiver } from "../queue/claim-service.ts";
import type { DeliveryMetrics } from "../queue/delivery-metrics.ts";
import type { LinesRepository } from "../queue/lines-repository.ts";
import { giveBack, type OutcomesDeps, recordEnded, recordReported } from "../queue/outcomes-service.ts";
import { createPlaces } from "../queue/places.ts";
import { toClaimedAttempt } from "../queue/signing.ts";
import { createWorkerPlaces, type FreePlaces } from "../queue/worker-places.ts";
import { originOf } from "../subscriptions/subscription.ts";
import type { WebhooksTables } from "../tables.ts";
import type { CrowdedWaits } from "./crowded-waits.ts";
import type { HandOverRepository } from "./hand-over-repository.ts";
import { type DrivenDelivery, isSuspended, progressOf } from "./round-progress.ts";
import { assertWithin } from "./within.ts";

interface RoundDeps extends SignDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly inTurn: LockQueue;
  readonly handOvers: HandOverRepository;
  readonly metrics: DeliveryMetrics;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Attempts that may be under way to one origin. */
  readonly perOrigin: number;
  readonly lines: Pick<LinesRepository, "countUnderWay">;
  readonly crowdedWaits: CrowdedWaits;
}

/**
 * Takes one delivery for its next attempt: recorded and signed, like every attempt, before it leaves (R-E8). A call
 * that comes too early, twice, or after the end gets the progress alone, and no attempt is made.
 * @throws NOT_FOUND for a round that is not current; INVALID_ARGUMENT when the caller has no place, or fewer than for
 * unproven attempts; UNAVAILABLE when we cannot do our part, or the caller has gone when its turn comes or before the answer: that
 * costs no attempt.
 */
export const claimOne =
  (deps: RoundDeps) =>
  async (request: ClaimOneRequest, call: Call): Promise<ClaimOneResponse> => {
    const { round, claim: name } = request;
    const places = placesOf(request);
    if (places.free !== undefined) assertPlaces(places.free);
    const claim = async (change: Change<WebhooksTables>) => {
      const lost = await recordLost(deps, change, await findRound(deps, change, round), call.peer);
      const delivery = await findRound(deps, change, round);
      return { lost, answer: await claimRound(deps, change, delivery, { asked: request, name: name ?? "", places }) };
    };
    const { answer, lost } = await deps.inTurn(() => deps.changes.run(claim), call.waiting);
    deps.metrics.ended(lost, deps.clock.now());
    const { attempt } = answer;
    if (attempt && call.signal.aborted) {
      const { deliveryId: id, fence } = attempt;
      await deps.changes.run((change) => giveBack(deps, change, [{ id, fence }], { engine: true }));
      throw unavailable("The caller gave up.", { detail: attempt.deliveryId });
    }
    return answer;
  };

/** What the caller has places for. */
interface PlacesOfCaller {
  readonly provenOnly: boolean;
  /** Absent where it does not say: then an integration may have all. */
  readonly free: FreePlaces | undefined;
}

function placesOf({ provenOnly, freePlaces, unprovenFreePlaces }: ClaimOneRequest): PlacesOfCaller {
  const free = freePlaces == null ? undefined : { all: freePlaces, unproven: unprovenFreePlaces ?? freePlaces };
  return { provenOnly: provenOnly ?? false, free };
}

const assertPlaces = ({ all, unproven }: FreePlaces): void =>
  assertWithin({
    free_places: [all, 1, Number.POSITIVE_INFINITY],
    unproven_free_places: [unproven, 0, all],
  });

type Asked = Pick<ClaimOneRequest, "now" | "askedAfter">;

/** True while the attempt that an operator asked for is still the next one (R-X73). */
const isAskedFor = ({ attempts }: DrivenDelivery, { now, askedAfter }: Asked): boolean =>
  now && (askedAfter ?? attempts) === attempts;

async function claimRound(
  deps: RoundDeps,
  change: Change<WebhooksTables>,
  delivery: DrivenDelivery,
  { asked, name, places }: { readonly asked: Asked; readonly name: string; readonly places: PlacesOfCaller },
): Promise<ClaimOneResponse> {
  const { db, at, wakeAfter } = change;
  const progress = progressOf(delivery, at);
  if (isSuspended(delivery)) return { standing: { ...progress, kind: StandingKind.SUSPENDED } };
  const isDue = progress.kind === StandingKind.WAITING && (progress.waitMs === 0 || isAskedFor(delivery, asked));
  if (!isDue) return { standing: progress };

  const { sendable, unsendable } = await sortByReceiver(deps, change, [delivery]);
  const instead = unsendable[0]?.instead;
  if (instead !== undefined) {
    if (instead.state === "pending")
      throw unavailable("The delivery cannot be signed at the moment.", { detail: delivery.id });
    await deps.handOvers.end(db, delivery, { at, ...instead });
    return { standing: progressOf({ ...delivery, ...instead }, at) };
  }

  const [ready] = sendable;
  if (ready === undefined) throw new Error("A delivery can be sent, or it is known what becomes of it instead.");
  const unproven = isUnproven(deps, ready);
  // A retry is one attempt: it does not wait until its subscription's backlog leaves one of its few places (R-X338).
  const underWay = await deps.lines.countUnderWay(db);
  const endpointOrigin = originOf(ready.receiver);
  const own = createPlaces(underWay, deps.perOrigin).of({
    origin: endpointOrigin,
    subscriptionId: delivery.subscriptionId,
    slow: ready.receiver.slow,
    isRetry: true,
  });
  const ofWorker =
    places.free &&
    createWorkerPlaces(underWay, { free: places.free, isProven: deps.paces.isProven, ofRetries: true }).of({
      integrationId: ready.receiver.integrationId,
      unproven,
    });
  if (!own.isFree || ofWorker?.isFree === false || (places.provenOnly && unproven)) {
    const asking = { id: delivery.subscriptionId, slow: ready.receiver.slow };
    const waitMs = change.once(deps.crowdedWaits, () => deps.crowdedWaits.next(asking));
    return { standing: { ...progress, kind: StandingKind.CROWDED, waitMs } };
  }
  wakeAfter(DELIVERIES_CHANNEL);
  const leaseUntil = new Date(at.getTime() + deps.leaseMs);
  const claimed = await deps.handOvers.claim(db, delivery.sequence, { at, leaseUntil, name, endpointOrigin });
  if (isForAnother(claimed, ready.receiver))
    throw unavailable("The endpoint was changed meanwhile. Ask again.", { detail: delivery.id });
  const attempt = toClaimedAttempt({ ...ready, delivery: claimed, at, userAgent: deps.userAgent });
  return {
    attempt: { ...attempt, unproven },
    standing: progressOf({ ...delivery, ...claimed, leaseUntil, lastOutcome: "in_flight" }, at),
  };
}

/**
 * Records how the attempt ended; returns the progress that follows.
 * @throws INVALID_ARGUMENT when the outcome has no class; NOT_FOUND for a round that is not current.
 */
export const recordOne =
  (deps: OutcomesDeps & Pick<RoundDeps, "changes" | "handOvers" | "metrics" | "clock">) =>
  async ({ outcome }: RecordOneRequest, call: Call): Promise<RecordOneResponse> => {
    if (outcome === null || !isKnownClass(outcome.class)) {
      throw invalidArgument([{ field: "outcome.class", reason: "must be a known class" }]);
    }
    const { answer, ended } = await deps.changes.run(async (change) => {
      await findRound(deps, change, outcome);
      const { ended } = await recordReported(deps, change, [outcome], { actor: call.actor, engine: true });
      return { ended, answer: { standing: progressOf(await findRound(deps, change, outcome), change.at) } };
    });
    deps.paces.learn(ended, deps.clock.now());
    deps.metrics.ended(ended, deps.clock.now());
    return answer;
  };

/**
 * Cancels what waits. One that is under way or has ended stays as it is, and the answer says so.
 * @throws NOT_FOUND for a round that is not current.
 */
export const cancelDelivery =
  (deps: Pick<RoundDeps, "changes" | "handOvers">) =>
  async ({ round }: CancelDeliveryRequest, call: Call): Promise<CancelDeliveryResponse> =>
    deps.changes.run(async (change) => {
      const delivery = await findRound(deps, change, round);
      const progress = progressOf(delivery, change.at);
      if (progress.kind !== StandingKind.WAITING) return { standing: progress };
      await deps.handOvers.end(change.db, delivery, { at: change.at, state: "cancelled", reason: "operator" });
      await change.audit({
        actor: call.actor,
        action: "delivery.cancel",
        object: delivery.id,
        facts: { attempts: delivery.attempts },
      });
      return { standing: progressOf({ ...delivery, state: "cancelled", reason: "operator" }, change.at) };
    });

async function findRound(
  { handOvers }: Pick<RoundDeps, "handOvers">,
  { db, at }: Change<WebhooksTables>,
  round: DeliveryRound | null | undefined,
): Promise<DrivenDelivery> {
  const found = await handOvers.find(db, { deliveryId: round?.deliveryId ?? "", round: round?.round ?? 0 }, at);
  if (found === undefined)
    throw notFound("delivery_round_not_found", "There is no such delivery, or no such round of it.");
  return found;
}

/** An attempt whose lease has passed is spent; the engine that asks about it gets the progress after it. */
async function recordLost(
  deps: RoundDeps,
  change: Change<WebhooksTables>,
  delivery: DrivenDelivery,
  actor: string,
): Promise<readonly Ending[]> {
  if (delivery.leaseUntil === undefined || delivery.leaseUntil > change.at) return [];
  return recordEnded(deps, change, [{ delivery, outcome: "lost" }], { actor, engine: true });
}
