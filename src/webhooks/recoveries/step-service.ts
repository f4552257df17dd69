import { liesAhead } from "#runtime/basis/clock.ts";
import type { Change } from "#runtime/changes/change.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import type { WebhooksSettings } from "../settings.ts";
import { blockedBy, DELETED } from "../subscriptions/may-send.ts";
import { PING } from "../subscriptions/ping.ts";
import { originOf } from "../subscriptions/subscription.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { withEndedCounted } from "./ended-resends-service.ts";
import { reportFinished } from "./finished-recovery-service.ts";
import { hasEnded, type Recovery, type RecoveryFilter, type RecoveryStep } from "./recovery.ts";
import type { FoundDelivery, RecoveryDeliveryRepository } from "./recovery-delivery-repository.ts";
import type { RecoveryRepository } from "./recovery-repository.ts";
import type { ResendRepository } from "./resend-repository.ts";

/** Settled deliveries that one step reads. */
const PAGE = 500;
/** So many failures without an acknowledgement in between pause a recovery (R-X284). */
const FAILURES_MAX = 20;

/** Attempts of recoveries that may be under way or due to one origin: their share of its places, at least one (R-X282). */
export const placesOfRecoveries = (
  settings: Pick<WebhooksSettings, "webhook-concurrency-per-endpoint" | "webhook-recovery-share">,
): number => Math.max(1, Math.floor(settings["webhook-concurrency-per-endpoint"] * settings["webhook-recovery-share"]));

export interface StepDeps {
  readonly recoveries: RecoveryRepository;
  readonly recovered: RecoveryDeliveryRepository;
  readonly resends: ResendRepository;
  readonly subscriptions: Pick<SubscriptionRepository, "find">;
  /** The result of `placesOfRecoveries`. */
  readonly perOrigin: number;
  /** How long a settled delivery is kept, from when it was made. */
  readonly keepMs: number;
  /** False while the clock may still be behind: then every instant seems to be ahead. */
  readonly isClockSet: () => boolean;
}

/** A recovery after a step. */
export interface Stepped {
  readonly recovery: Recovery;
  /** Deliveries of the recovery that are due or under way. */
  readonly underWay: number;
  /** True when the next step has something to do at once. */
  readonly isMore: boolean;
}

type Moved = { readonly step: Partial<RecoveryStep>; readonly underWay: number; readonly isMore: boolean };

/**
 * Does the next bounded piece of a recovery inside the given change, which has its row locked: counts what has ended,
 * then counts what belongs to it, then sends as many as there are places for. A kill between two steps loses nothing and
 * repeats nothing, since what is sent and how far it has come are written together (R-X281).
 */
export async function stepOf(deps: StepDeps, change: Change<WebhooksTables>, before: Recovery): Promise<Stepped> {
  const counted = await withEndedCounted(deps.recovered, change, before);
  const paused: Recovery = isFailing(counted) ? { ...counted, state: "paused", reason: "endpoint_failing" } : counted;
  const { step, underWay, isMore } = await advance(deps, change, paused);
  const after = { ...paused, ...step };
  await deps.recoveries.update(change.db, before, after, change.at);
  await noteChange(change, before, after);
  // What a cancelled recovery has under way is counted first.
  if (hasEnded(after) && underWay === 0) await reportFinished(deps.subscriptions, change, after);
  return { recovery: after, underWay, isMore };
}

const isFailing = ({ state, failedInRow }: Recovery): boolean => state === "running" && failedInRow >= FAILURES_MAX;

/**
 * Counts what has ended of a recovery that was cancelled with attempts under way, inside the given change, which has its
 * row locked; with the last of them it is reported (R-X343). Returns `undefined` when there are none.
 */
export async function endingStepOf(
  { recovered, recoveries, subscriptions }: StepDeps,
  change: Change<WebhooksTables>,
  before: Recovery,
): Promise<Stepped | undefined> {
  const { db, at } = change;
  if ((await recovered.countUnderWay(db, before.sequence)) === 0) return undefined;
  const after = await withEndedCounted(recovered, change, before);
  await recoveries.update(db, before, after, at);
  const underWay = await recovered.countUnderWay(db, before.sequence);
  if (underWay === 0) await reportFinished(subscriptions, change, after);
  return { recovery: after, underWay, isMore: false };
}

async function advance(deps: StepDeps, change: Change<WebhooksTables>, recovery: Recovery): Promise<Moved> {
  const subscription = await deps.subscriptions.find(change.db, recovery.subscriptionId);
  const blocked = subscription === undefined ? DELETED : blockedBy(subscription);
  const endpointOrigin = blocked === undefined && subscription ? originOf(subscription) : "";
  const counts = await deps.recovered.count(change.db, recovery.sequence, endpointOrigin);
  const stay = (step: Partial<RecoveryStep>): Moved => ({ step, underWay: counts.underWay, isMore: false });
  if (blocked?.state === "cancelled") return stay({ state: "cancelled", reason: blocked.reason });
  if (recovery.state === "paused") return stay({});
  if (blocked !== undefined) return stay({ state: "paused", reason: blocked.reason });
  // Before its first page a recovery waits until former deliveries are moved: one that is moved later has a lower
  // sequence than what was looked at, and would be missed.
  const isBegun = recovery.isCounted || recovery.countedTo > 0;
  if (!isBegun && (await deps.recovered.hasFormer(change.db, recovery))) return stay({});
  if (!recovery.isCounted)
    return { step: await countPage(deps, change, recovery), underWay: counts.underWay, isMore: true };
  const places = Math.max(0, deps.perOrigin - counts.ofOrigin);
  const again = await sendAgain(deps, change, recovery, { endpointOrigin, places, left: counts.again });
  const next = await sendNext(
    deps,
    change,
    { ...recovery, sent: recovery.sent + again.sent, bodyRemoved: recovery.bodyRemoved + again.bodyRemoved },
    endpointOrigin,
    places - again.sent,
  );
  const underWay = counts.underWay + again.sent + next.resent;
  const isDone = next.step.isAllFound === true && underWay === 0 && counts.again === 0;
  if (!isDone) return { step: next.step, underWay, isMore: next.isMore };
  const { sent = 0, bodyRemoved: seen = 0, matched = recovery.matched } = next.step;
  // Deliveries that others have resent in the meantime no longer belong to the recovery.
  const bodyRemoved = mayBeRemoved(recovery, change.at, deps.keepMs) ? Math.max(seen, matched - sent) : seen;
  return stay({ ...next.step, state: "finished", bodyRemoved, matched: sent + bodyRemoved });
}

/** True when deliveries of the recovery may have been removed by their age before it came to them. */
const mayBeRemoved = ({ from }: RecoveryFilter, at: Date, keepMs: number): boolean =>
  from.getTime() < at.getTime() - keepMs;

async function countPage(
  { recovered, isClockSet }: StepDeps,
  { db, at }: Change<WebhooksTables>,
  recovery: Recovery,
): Promise<Partial<RecoveryStep>> {
  const page = await recovered.look(db, recovery, { after: recovery.countedTo, limit: PAGE });
  const belongs = belongsTo(recovery, isClockSet() ? at : undefined);
  return {
    matched: recovery.matched + page.filter(belongs).length,
    countedTo: page.at(-1)?.sequence ?? recovery.countedTo,
    isCounted: page.length < PAGE,
  };
}

/**
 * True for a delivery that the recovery sends. One that was settled after the recovery was started has nothing to do
 * with the failure before, or was sent by the recovery. A ping tries the endpoint of its moment, and is not missed. What
 * a clock that was ahead has written was before, at a time that is not known (R-X373).
 * @param at the present; `undefined` while the clock may be wrong.
 */
const belongsTo =
  (recovery: RecoveryFilter & Pick<Recovery, "createdAt">, at: Date | undefined) =>
  (found: FoundDelivery): boolean => {
    const isAhead = (instant: Date) => at !== undefined && liesAhead(instant, at);
    return (
      found.eventType !== PING &&
      (isAhead(found.createdAt) || (found.createdAt >= recovery.from && found.createdAt < recovery.to)) &&
      (isAhead(found.settledAt) || found.settledAt <= recovery.createdAt) &&
      (recovery.eventTypes.length === 0 || recovery.eventTypes.includes(found.eventType)) &&
      (recovery.tenantIds.length === 0 || recovery.tenantIds.includes(found.tenantId ?? ""))
    );
  };

/**
 * Sends again what was skipped after it had been sent, unless the body is gone by now; returns how many were sent, and how
 * many have no body.
 */
async function sendAgain(
  deps: StepDeps,
  change: Change<WebhooksTables>,
  { sequence }: Recovery,
  { endpointOrigin, places, left }: { readonly endpointOrigin: string; readonly places: number; readonly left: number },
): Promise<{ readonly sent: number; readonly bodyRemoved: number }> {
  if (left === 0 || places === 0) return { sent: 0, bodyRemoved: 0 };
  const found = await deps.recovered.listAgain(change.db, sequence, places);
  if (found.length < Math.min(left, places)) await deps.recovered.removeLost(change.db, sequence);
  await deps.recovered.remove(
    change.db,
    found.map((one) => one.sequence),
  );
  const kept = found.filter(({ hasBody }) => hasBody);
  const sent = await send(deps, change, sequence, kept, endpointOrigin);
  return { sent, bodyRemoved: found.length - kept.length };
}

/** Sends the deliveries that come next, as many as there are places for. */
async function sendNext(
  deps: StepDeps,
  change: Change<WebhooksTables>,
  recovery: Recovery,
  endpointOrigin: string,
  places: number,
): Promise<{ readonly step: Partial<RecoveryStep>; readonly resent: number; readonly isMore: boolean }> {
  const { sequence, sent, sentTo, isAllFound, matched, bodyRemoved } = recovery;
  if (isAllFound || places <= 0) return { step: { sent, bodyRemoved, isAllFound }, resent: 0, isMore: false };
  const page = await deps.recovered.look(change.db, recovery, { after: sentTo, limit: PAGE });
  const belongs = belongsTo(recovery, deps.isClockSet() ? change.at : undefined);
  const picked: FoundDelivery[] = [];
  let reached = sentTo;
  let removed = 0;
  for (const found of page) {
    // A cancelled recovery has yet to count how this delivery ended: the next step looks at it again.
    if (picked.length === places || found.isUncounted) break;
    reached = found.sequence;
    if (!belongs(found)) continue;
    if (found.hasBody) picked.push(found);
    else removed++;
  }
  const resent = await send(deps, change, sequence, picked, endpointOrigin);
  const isRead = reached === (page.at(-1)?.sequence ?? reached);
  return {
    step: {
      sentTo: reached,
      isAllFound: isRead && page.length < PAGE,
      sent: sent + resent,
      bodyRemoved: bodyRemoved + removed,
      matched: matched - (picked.length - resent),
    },
    resent,
    isMore: isRead && picked.length < places && page.length === PAGE,
  };
}

/** Puts deliveries into the queue; returns how many of them were still settled. */
async function send(
  { resends, recovered }: StepDeps,
  { db, at, wakeAfter }: Change<WebhooksTables>,
  recovery: number,
  found: readonly FoundDelivery[],
  endpointOrigin: string,
): Promise<number> {
  const sent = await resends.resend(
    db,
    found.map(({ sequence, round }) => ({ sequence, round, endpointOrigin })),
    at,
  );
  const resent = found.filter(({ sequence }) => sent.has(sequence));
  await recovered.add(
    db,
    recovery,
    resent.map(({ sequence, round }) => ({ delivery: sequence, round: round + 1, endpointOrigin })),
  );
  if (resent.length > 0) wakeAfter(DELIVERIES_CHANNEL);
  return resent.length;
}

/** Notes in the audit log what a recovery does by itself. */
async function noteChange({ audit }: Change<WebhooksTables>, before: Recovery, after: Recovery): Promise<void> {
  const { id, state, reason, sent, acknowledged, failed, bodyRemoved } = after;
  const noted = NOTED[state];
  if (state === before.state || noted === undefined) return;
  const counts = { sent, acknowledged, failed, bodyRemoved };
  await audit({
    actor: "services",
    ...noted,
    object: id,
    facts: { ...(reason === undefined ? {} : { reason }), ...counts },
  });
}

const NOTED: Readonly<Partial<Record<Recovery["state"], { readonly action: `recovery.${string}` }>>> = {
  finished: { action: "recovery.finish" },
  paused: { action: "recovery.pause" },
  cancelled: { action: "recovery.cancel" },
};
