import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Ending } from "../deliveries/delivery.ts";
import { deliveryExhausted, isOperational, subscriptionEvent } from "../operational/operational-event.ts";
import { COUNTED_MAX, disablesAt, type FailingRun, failingStep } from "../subscriptions/failing-run.ts";
import type { ExhaustedSubscription, FailingRunRepository } from "../subscriptions/failing-run-repository.ts";
import type { DisabledBy } from "../subscriptions/state-reason.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { isAhead } from "./far-instant.ts";

export interface EndingsDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly failingRuns: FailingRunRepository;
  /** False while the clock may still be behind: then every instant seems to be ahead. */
  readonly isClockSet: () => boolean;
}

type Endings = readonly Ending[];

const exhaustedIn = (endings: Endings): ReadonlyMap<SubscriptionId, Endings> =>
  Map.groupBy(
    endings.filter(({ isExhausted }) => isExhausted),
    ({ delivery }) => delivery.subscriptionId,
  );

const recoveredIn = (endings: Endings): Endings =>
  endings.filter(({ outcome, delivery }) => outcome === "acknowledged" && delivery.isFailing);

/** Whom `noteEndings` may write of: none, where it asks the store nothing. */
export const concernedBy = (endings: Endings): readonly SubscriptionId[] => [
  ...exhaustedIn(endings).keys(),
  ...recoveredIn(endings).map(({ delivery }) => delivery.subscriptionId),
];

/**
 * Emits `delivery.exhausted` for those who want it. Comes before subscriptions are locked, since the outbox may make it wait
 * for a subscription that is being made.
 */
export async function announceExhausted(
  { failingRuns }: EndingsDeps,
  change: Change<WebhooksTables>,
  endings: Endings,
): Promise<void> {
  const exhausted = exhaustedIn(endings);
  if (exhausted.size === 0) return;
  for (const subscription of await failingRuns.list(change.db, [...exhausted.keys()]))
    if (subscription.wantsExhausted)
      await emitExhausted(change, subscription, exhausted.get(subscription.subscriptionId) ?? []);
}

/**
 * What attempts that ended mean for their subscriptions, inside the change that recorded them and has these locked: a run
 * of failures that begins or ends, and the end of an endpoint that is gone or has only failed for days (R-E6, R-E12).
 * Asks the store nothing unless a delivery is exhausted, or an endpoint that failed has acknowledged one.
 */
export async function noteEndings(
  deps: EndingsDeps,
  change: Change<WebhooksTables>,
  endings: Endings,
  actor: string,
): Promise<void> {
  const acknowledged = endings.filter(({ outcome }) => outcome === "acknowledged");
  const recovered = acknowledgedBy(recoveredIn(endings));
  const exhausted = exhaustedIn(endings);
  if (recovered.length > 0) await deps.failingRuns.recover(change.db, recovered);
  if (exhausted.size === 0) return;
  const found = await withoutRunsAhead(deps, change, await deps.failingRuns.list(change.db, [...exhausted.keys()]));
  const healthy = new Set(
    found
      .filter((one) => acknowledged.some((ending) => isOfEndpoint(ending, one)))
      .map(({ subscriptionId }) => subscriptionId),
  );
  await beginRuns(deps, change, found, { exhausted, healthy });
  for (const subscription of found) {
    const own = exhausted.get(subscription.subscriptionId) ?? [];
    const isGone = own.some((ending) => ending.outcome === "gone" && isOfEndpoint(ending, subscription));
    if (isGone) await disable(deps, change, subscription, { reason: "gone", actor });
    else if (!healthy.has(subscription.subscriptionId)) await step(deps, change, { subscription, own, actor });
  }
}

/** Ends runs that a clock has written which was ahead: otherwise they would go on without a step until it is then. */
async function withoutRunsAhead(
  { failingRuns, isClockSet }: EndingsDeps,
  { db, at }: Change<WebhooksTables>,
  listed: readonly ExhaustedSubscription[],
): Promise<readonly ExhaustedSubscription[]> {
  if (!isClockSet()) return listed;
  const ahead = listed.filter(({ run }) => run !== undefined && isAhead(run, at));
  if (ahead.length === 0) return listed;
  const ids = ahead.map(({ subscriptionId }) => subscriptionId);
  await failingRuns.end(db, ids);
  return listed.map((one) => (ahead.includes(one) ? { ...one, run: undefined } : one));
}

/** Since the attempt left, the subscription may have got another endpoint, which is not to answer for the former one. */
const isOfEndpoint = ({ delivery }: Ending, { subscriptionId, endpointUrl }: ExhaustedSubscription): boolean =>
  delivery.subscriptionId === subscriptionId && delivery.underWay?.endpointUrl === endpointUrl;

/** Each subscription once for each of its endpoints that acknowledged. */
const acknowledgedBy = (endings: Endings) => [
  ...new Map(
    endings.map(({ delivery: { subscriptionId, underWay } }) => {
      const endpointUrl = underWay?.endpointUrl ?? "";
      return [`${subscriptionId} ${endpointUrl}`, { subscriptionId, endpointUrl }];
    }),
  ).values(),
];

/** A lost outcome says nothing of the endpoint: it begins none. Nor does what was under way when the subscription ended. */
async function beginRuns(
  { failingRuns }: EndingsDeps,
  { db, at }: Change<WebhooksTables>,
  found: readonly ExhaustedSubscription[],
  {
    exhausted,
    healthy,
  }: { readonly exhausted: ReadonlyMap<SubscriptionId, Endings>; readonly healthy: ReadonlySet<SubscriptionId> },
): Promise<void> {
  const beginning = found.filter(
    (one) =>
      one.run === undefined &&
      one.state === "active" &&
      !healthy.has(one.subscriptionId) &&
      exhausted.get(one.subscriptionId)?.some((ending) => ending.outcome !== "lost" && isOfEndpoint(ending, one)),
  );
  if (beginning.length === 0) return;
  const runs = beginning.map((one) => ({
    id: one.subscriptionId,
    exhausted: countedIn(exhausted.get(one.subscriptionId) ?? [], one, at),
  }));
  await failingRuns.begin(db, runs, at);
}

/** How many deliveries of a run were exhausted now by the endpoint: each once, however often it is sent again. */
const countedIn = (own: Endings, subscription: ExhaustedSubscription, since: Date): number =>
  own.filter(
    (ending) => ending.outcome !== "lost" && isOfEndpoint(ending, subscription) && !wasExhaustedSince(ending, since),
  ).length;

/**
 * In an earlier round, by its last attempt. One that was cancelled after a failed attempt is taken for exhausted: the
 * attempts do not say, and it then counts for the run once less.
 */
function wasExhaustedSince({ delivery: { made, round } }: Ending, since: Date): boolean {
  const last = new Map(made.filter((attempt) => attempt.round < round).map((attempt) => [attempt.round, attempt]));
  return [...last.values()].some(
    ({ outcome, finishedAt }) => outcome !== "lost" && finishedAt !== undefined && finishedAt >= since,
  );
}

/** For first rounds alone, since a resend is looked at by the one who asked for it; for no operational event (R-X311). */
async function emitExhausted(
  { emit }: Change<WebhooksTables>,
  owner: ExhaustedSubscription,
  endings: Endings,
): Promise<void> {
  const first = endings.filter(({ delivery }) => delivery.round === 1 && !isOperational(delivery.eventType));
  const events = first.map(({ delivery, outcome, httpStatus }) =>
    deliveryExhausted({ ...delivery, ...ownerOf(owner), deliveryId: delivery.id, reason: outcome, httpStatus }),
  );
  if (events.length > 0) await emit(...events);
}

/** Counts on in a run that goes on, and warns of it; or ends it with the subscription (R-E12). */
async function step(
  deps: EndingsDeps,
  change: Change<WebhooksTables>,
  {
    subscription,
    own,
    actor,
  }: { readonly subscription: ExhaustedSubscription; readonly own: Endings; readonly actor: string },
): Promise<void> {
  const { run, state, subscriptionId } = subscription;
  if (run === undefined || state !== "active") return;
  const isEnough = run.exhausted >= COUNTED_MAX;
  const more = isEnough ? 0 : countedIn(own, subscription, run.since);
  const next = failingStep({ ...run, exhausted: run.exhausted + more }, change.at);
  // Without a write of the run, an acknowledgement that comes at the same time ends it first.
  if (next === "disable") return disable(deps, change, subscription, { reason: "failing", actor });
  if (more > 0) await deps.failingRuns.add(change.db, { id: subscriptionId, since: run.since }, more);
  if (next === "warn") return warn(deps, change, subscription, run);
}

async function warn(
  { failingRuns }: EndingsDeps,
  { db, at, emit }: Change<WebhooksTables>,
  subscription: ExhaustedSubscription,
  { since }: FailingRun,
): Promise<void> {
  if (!(await failingRuns.warn(db, { id: subscription.subscriptionId, since }, at))) return;
  const facts = { failingSince: since, disablesAt: disablesAt({ since, warnedAt: at }) };
  await emit(subscriptionEvent("subscription.failing", { ...subscription, ...facts }));
}

/**
 * Disables the subscription and ends its run of failures. Does nothing when it is disabled by now, its endpoint has changed
 * or, for failing, its run has ended.
 */
async function disable(
  { subscriptions, failingRuns }: EndingsDeps,
  { db, at, emit, audit }: Change<WebhooksTables>,
  subscription: ExhaustedSubscription,
  { reason, actor }: { readonly reason: DisabledBy; readonly actor: string },
): Promise<void> {
  const { subscriptionId, endpointUrl, run } = subscription;
  const failingSince = reason === "failing" ? run?.since : undefined;
  if (!(await subscriptions.disable(db, { subscriptionId, endpointUrl, failingSince }, reason, at))) return;
  await failingRuns.end(db, [subscriptionId]);
  await audit({ actor, action: "subscription.disable", object: subscriptionId, facts: { reason } });
  const facts = { state: "disabled", stateReason: reason, failingSince: run?.since, disabledAt: at } as const;
  await emit(subscriptionEvent("subscription.disabled", { ...subscription, ...facts }));
}

const ownerOf = ({ subscriptionId, instanceIntegrationId, instanceId }: ExhaustedSubscription) => ({
  subscriptionId,
  instanceIntegrationId,
  instanceId,
});
