import type { AttemptOutcome } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Attempt } from "../deliveries/attempt.ts";
import {
  DELIVERIES_CHANNEL,
  type Delivery,
  type EndedAttempt,
  type Ending,
  HAND_OVERS_CHANNEL,
} from "../deliveries/delivery.ts";
import { isNotSent, type Outcome, toOutcome } from "../deliveries/outcome.ts";
import { byAddress, isProvenByAnother } from "../subscriptions/free-endpoint-service.ts";
import { PING } from "../subscriptions/ping.ts";
import type { SubscriptionChangeRepository } from "../subscriptions/subscription-change-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { afterAttempt, type NextAttempt } from "./attempt-schedule.ts";
import { announceExhausted, concernedBy, type EndingsDeps, noteEndings } from "./endings-service.ts";
import type { ChangedPaces, Paces } from "./paces.ts";
import type { EndedClaim, PacedDelivery, QueueRepository } from "./queue-repository.ts";
import type { EndedBy, RetryEngine, Waiting } from "./retry-engine.ts";

/** Of an answer's body (R-E7). */
const EXCERPT_BYTES_MAX = 4 * 1024;
const PAUSE_MS_MAX = 600_000;

export interface OutcomesDeps extends EndingsDeps {
  readonly random: Random;
  readonly jitter: number;
  readonly retryEngine: RetryEngine;
  readonly queue: QueueRepository;
  readonly subscriptionChanges: SubscriptionChangeRepository;
  readonly paces: Paces;
}

/** What taking back is given, which records no outcome. */
export type TakeBackDeps = Pick<OutcomesDeps, "queue" | "retryEngine">;

/** Who reports how attempts ended. */
interface EndedReporter {
  /** For the audit. */
  readonly actor: string;
  /** True for a retry engine outside the store, false for the dispatcher and for what is found lost. */
  readonly engine: boolean;
}

/**
 * Records reported outcomes, inside the given change: attempts that never left are taken back, the others have ended.
 * Ignores outcomes of claims that are no longer current (R-E8). Returns what ended, and how many were taken back.
 */
export async function recordReported(
  deps: OutcomesDeps,
  change: Change<WebhooksTables>,
  outcomes: readonly AttemptOutcome[],
  by: EndedReporter,
): Promise<{ readonly ended: readonly Ending[]; readonly takenBack: number }> {
  // A report that is repeated may bring an outdated outcome beside that of a later claim.
  const byDelivery = Map.groupBy(outcomes, ({ deliveryId }) => deliveryId);
  const underWay = await deps.queue.listUnderWay(change.db, [...byDelivery.keys()], change.at);
  const current = underWay.flatMap((delivery) => {
    const outcome = byDelivery.get(delivery.id)?.find((one) => isOf(one, delivery));
    return outcome === undefined ? [] : [{ delivery, outcome }];
  });
  const { unsent = [], sent = [] } = Object.groupBy(current, ({ outcome }) =>
    isNotSent(outcome.class) ? "unsent" : "sent",
  );
  const takenBack = await takeBackUnsent(
    deps,
    change,
    unsent.map(({ delivery, outcome }) => ({ delivery, pauseMs: outcome.pauseMs ?? 0 })),
    by,
  );
  const attempts = sent.map(({ delivery, outcome }) => toEndedAttempt(outcome, delivery));
  const ended = await recordEnded(deps, change, attempts, by);
  // Places are free again, and what was scheduled may be due before what a claim waits for.
  change.wakeAfter(DELIVERIES_CHANNEL);
  return { ended, takenBack };
}

/** True when the outcome is that of the attempt which is under way. */
const isOf = (outcome: AttemptOutcome, { fence, round, attempts }: Delivery): boolean =>
  outcome.fence === fence && outcome.round === round && outcome.attemptNumber === attempts;

/** An outcome of a known class, cut to what is kept of it. */
function toEndedAttempt(outcome: AttemptOutcome, delivery: PacedDelivery): EndedAttempt {
  const retryAfter = outcome.retryAfter ?? "";
  return {
    delivery,
    outcome: toOutcome(outcome.class) as Outcome,
    httpStatus: outcome.httpStatus ?? undefined,
    durationMs: Math.max(0, outcome.durationMs),
    retryAfter: /^[\x20-\x7e]{1,64}$/.test(retryAfter) ? retryAfter : undefined,
    responseExcerpt:
      outcome.responseExcerpt.length === 0 ? undefined : outcome.responseExcerpt.subarray(0, EXCERPT_BYTES_MAX),
    wasSlow: delivery.wasSlow,
  };
}

/**
 * Records how claimed attempts ended, inside the given change, and what becomes of their deliveries: settled, or put
 * into wait for another attempt. Returns the attempts whose claims were current. Ignores a claim whose lease was taken
 * over meanwhile: its attempt is already counted as lost (R-E8).
 */
export async function recordEnded(
  deps: OutcomesDeps,
  change: Change<WebhooksTables>,
  ended: readonly EndedAttempt[],
  by: EndedReporter,
): Promise<readonly Ending[]> {
  const { db, at } = change;
  const decided = ended.map((attempt) => ({ attempt, next: afterAttempt(attempt, at, deps) }));
  const claims = decided.map(({ attempt, next }) => toEndedClaim(deps, attempt, next, { at, engine: by.engine }));
  const wereCurrent = await deps.queue.endClaims(db, claims, at);
  if (claims.some(({ handOverAt }) => handOverAt !== undefined)) change.wakeAfter(HAND_OVERS_CHANNEL);
  const current = decided.filter(({ attempt }) => wereCurrent.has(attempt.delivery.sequence));
  const endings = current.map(({ attempt, next }) => ({ ...attempt, isExhausted: next.kind === "exhausted" }));
  const { pings = [], others = [] } = Object.groupBy(endings, ({ delivery }) =>
    delivery.eventType === PING ? "pings" : "others",
  );
  const acknowledgedPings = pings.filter(({ outcome }) => outcome === "acknowledged");
  const changedPaces = deps.paces.changedBy(endings);
  // A ping's answer is for the one who waits for it: it says nothing of deliveries.
  await announceExhausted(deps, change, others);
  await deps.subscriptions.lockInOrder(db, [
    ...acknowledgedPings.map(({ delivery }) => delivery.subscriptionId),
    ...concernedBy(others),
    ...changedPaces.slow,
    ...changedPaces.prompt,
  ]);
  await confirmEndpoints(deps, change, acknowledgedPings, by.actor);
  await noteEndings(deps, change, others, by.actor);
  await keepPaces(deps, change, changedPaces);
  return endings;
}

function toEndedClaim(deps: OutcomesDeps, ended: EndedAttempt, next: NextAttempt, by: EndedBy): EndedClaim {
  const { sequence, fence } = ended.delivery;
  const made = [...ended.delivery.made, toAttempt(ended, by.at)];
  return { sequence, fence, made, ...nextStateOf(deps, next, by) };
}

const toAttempt = ({ delivery, ...ended }: EndedAttempt, at: Date): Attempt => ({
  round: delivery.round,
  number: delivery.attempts,
  startedAt: delivery.underWay?.startedAt ?? at,
  finishedAt: at,
  outcome: ended.outcome,
  httpStatus: ended.httpStatus,
  durationMs: ended.durationMs,
  retryAfter: ended.retryAfter,
  endpointUrl: delivery.underWay?.endpointUrl ?? "",
  responseExcerpt: ended.responseExcerpt,
});

function nextStateOf(
  { retryEngine }: OutcomesDeps,
  next: NextAttempt,
  by: EndedBy,
): Pick<EndedClaim, "state" | "reason" | keyof Waiting> {
  switch (next.kind) {
    case "delivered":
      return { state: "delivered" };
    case "exhausted":
      return { state: "exhausted", reason: next.reason };
    case "again":
      return { state: "pending", ...retryEngine.wait(next.at, by) };
  }
}

/** Keeps who became slow, and who is no longer. Most outcomes change nothing, and nothing is written. */
async function keepPaces(
  { subscriptions }: OutcomesDeps,
  { db }: Change<WebhooksTables>,
  { slow, prompt }: ChangedPaces,
): Promise<void> {
  if (slow.length > 0) await subscriptions.setSlow(db, slow, true);
  if (prompt.length > 0) await subscriptions.setSlow(db, prompt, false);
}

/** An endpoint that acknowledges a ping is proven, when it is still its subscription's (R-X270), and no other integration's. */
async function confirmEndpoints(
  deps: OutcomesDeps,
  { db, at, audit }: Change<WebhooksTables>,
  acknowledged: readonly EndedAttempt[],
  actor: string,
): Promise<void> {
  const endpoints = acknowledged.map(({ delivery: { subscriptionId, underWay } }) => ({
    subscriptionId,
    endpointUrl: underWay?.endpointUrl ?? "",
  }));
  // In one order, since the address of each is locked.
  for (const { subscriptionId, endpointUrl } of endpoints.toSorted(byAddress)) {
    if (await isProvenByAnother(deps, db, subscriptionId, endpointUrl)) {
      await audit({ actor, action: "subscription.refuseEndpoint", object: subscriptionId });
      continue;
    }
    const confirmed = await deps.subscriptionChanges.confirmEndpoint(db, subscriptionId, endpointUrl, at);
    if (confirmed) await audit({ actor, action: "subscription.confirmEndpoint", object: subscriptionId });
  }
}

/** A claim, as its caller was to get it. */
interface Claimed extends Pick<Delivery, "fence"> {
  readonly id: string;
}

/**
 * Undoes claims whose answer was not received: nothing has left, so no attempt is spent (R-X143). The deliveries are locked
 * first, in the order in which others lock several. Ignores one that another claim has by now.
 */
export async function giveBack(
  deps: TakeBackDeps,
  change: Change<WebhooksTables>,
  claims: readonly Claimed[],
  by: Pick<EndedReporter, "engine">,
): Promise<void> {
  const fences = new Map<string, number>(claims.map(({ id, fence }) => [id, fence]));
  const underWay = await deps.queue.listUnderWay(change.db, [...fences.keys()], change.at);
  const own = underWay.filter(({ id, fence }) => fences.get(id) === fence);
  await takeBackAtOnce(deps, change, own, by);
}

/** Takes back what is claimed and locked, to be offered again at once; returns how many. */
export const takeBackAtOnce = (
  deps: TakeBackDeps,
  change: Change<WebhooksTables>,
  deliveries: readonly Delivery[],
  by: Pick<EndedReporter, "engine">,
): Promise<number> =>
  takeBackUnsent(
    deps,
    change,
    deliveries.map((delivery) => ({ delivery, pauseMs: 0 })),
    by,
  );

/** A claimed delivery whose request certainly never left. */
interface Unsent {
  readonly delivery: Delivery;
  /** How soon it is to be offered again. */
  readonly pauseMs: number;
}

/**
 * Takes attempts back that were recorded and never made: none is spent, and the delivery waits for another (R-X142,
 * R-X143). Ignores a claim that is no longer current: its attempt counts. Returns how many were taken back.
 */
async function takeBackUnsent(
  { queue, retryEngine }: TakeBackDeps,
  { db, at, wakeAfter }: Change<WebhooksTables>,
  unsent: readonly Unsent[],
  { engine }: Pick<EndedReporter, "engine">,
): Promise<number> {
  if (unsent.length === 0) return 0;
  const claims = unsent.map(({ delivery: { sequence, fence }, pauseMs }) => {
    const until = new Date(at.getTime() + Math.min(PAUSE_MS_MAX, Math.max(0, pauseMs)));
    const waiting = engine ? retryEngine.wait(until, { at, engine }) : { dueAt: until };
    return { sequence, fence, state: "pending" as const, withdrawn: true, ...waiting };
  });
  const current = await queue.endClaims(db, claims, at);
  wakeAfter(DELIVERIES_CHANNEL);
  return current.size;
}
