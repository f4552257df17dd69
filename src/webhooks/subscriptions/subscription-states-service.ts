import type {
  EnableSubscriptionRequest,
  EnableSubscriptionResponse,
  PauseSubscriptionRequest,
  PauseSubscriptionResponse,
  ResumeSubscriptionRequest,
  ResumeSubscriptionResponse,
  SkippedMeanwhile,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { liesAhead } from "#runtime/basis/clock.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SubscriptionDeliveriesRepository } from "../deliveries/subscription-deliveries-repository.ts";
import { subscriptionEvent } from "../operational/operational-event.ts";
import type { WebhooksTables } from "../tables.ts";
import { changedSubscription, type SubscriptionChangeDeps } from "./changed-subscription-service.ts";
import { PING } from "./ping.ts";
import { RECOVERY_DAYS_MAX } from "./request-limits.ts";
import type { Scope } from "./scope.ts";
import type { SendPing } from "./send-ping-service.ts";
import { shownSubscription } from "./shown-subscription-service.ts";
import type { Subscription } from "./subscription.ts";
import { assertNotRevoked } from "./subscription-refusals.ts";

/** A day less than a recovery spans at most: so it can be started a day later. */
const RECOVERABLE_MS = (RECOVERY_DAYS_MAX - 1) * DAY_MS;
/** With usual delays a delivery has spent its attempts by then. */
const WAITING_MS_MAX = DAY_MS;

interface StatesDeps extends SubscriptionChangeDeps {
  readonly ofSubscription: SubscriptionDeliveriesRepository;
  readonly sendPing: SendPing;
}

/**
 * Skips a subscription's events from now on, until it is resumed; they can be recovered. Has no effect on a paused one.
 * @throws NOT_FOUND; FAILED_PRECONDITION (subscription_disabled, instance_integration_revoked).
 */
export const pauseSubscription =
  (deps: SubscriptionChangeDeps) =>
  async (
    scope: Scope,
    { subscriptionId, ifMatch }: PauseSubscriptionRequest,
    { requestId }: Call,
  ): Promise<PauseSubscriptionResponse> => {
    const after = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, change) => {
        assertNotRevoked(before);
        assertNotDisabled(before);
        if (before.state === "paused") return before;
        const { db, at, audit } = change;
        await deps.subscriptionChanges.replaceState(db, before.id, "paused", at);
        await audit({ actor: scope.actor, action: "subscription.pause", object: before.id });
        return { ...before, state: "paused" as const, stateSince: at, updatedAt: at };
      },
    );
    return { subscription: await shownSubscription(deps, after) };
  };

/** Brings a subscription back from a state; has no effect on one that is neither in it nor refused. */
const broughtBackFrom =
  (state: "paused" | "disabled") =>
  (deps: StatesDeps) =>
  async (
    scope: Scope,
    { subscriptionId, ifMatch }: ResumeSubscriptionRequest | EnableSubscriptionRequest,
    { requestId }: Call,
  ): Promise<ResumeSubscriptionResponse & EnableSubscriptionResponse> => {
    const { after, skipped } = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, change) => {
        assertNotRevoked(before);
        if (state === "paused") assertNotDisabled(before);
        return before.state === state ? broughtBack(deps, before, scope, change) : unchanged(before);
      },
    );
    return { subscription: await shownSubscription(deps, after), skipped };
  };

/**
 * Ends a pause. Has no effect on a subscription that is not paused.
 * @throws NOT_FOUND; FAILED_PRECONDITION (subscription_disabled, instance_integration_revoked); RESOURCE_EXHAUSTED
 * (too_many_pings) when its ping is one too many (R-X344).
 */
export const resumeSubscription = broughtBackFrom("paused");

/**
 * Enables a disabled subscription again, whatever disabled it. Has no effect on one that is not disabled.
 * @throws NOT_FOUND; FAILED_PRECONDITION (instance_integration_revoked); RESOURCE_EXHAUSTED (too_many_pings) when its
 * ping is one too many (R-X344).
 */
export const enableSubscription = broughtBackFrom("disabled");

interface BroughtBack {
  readonly after: Subscription;
  readonly skipped: SkippedMeanwhile | null;
}

const unchanged = (before: Subscription): BroughtBack => ({ after: before, skipped: null });

/** Active again; or pending, with another ping, when its endpoint has not acknowledged one yet (R-X270). */
async function broughtBack(
  deps: StatesDeps,
  before: Subscription,
  scope: Scope,
  change: Change<WebhooksTables>,
): Promise<BroughtBack> {
  const { db, at, audit, emit } = change;
  const state = before.awaitsPing ? "pending" : "active";
  await deps.subscriptionChanges.replaceState(db, before.id, state, at);
  const { stateSince } = before;
  const isPaused = before.state === "paused";
  // A clock that was ahead has not said when the pause began (R-X373).
  const since = isPaused && !liesAhead(stateSince, at) ? stateSince : await lastAcknowledged(deps, before, change);
  const skipped = await missedSince(deps, before, { since, at, db });
  const action = isPaused ? "subscription.resume" : "subscription.enable";
  await audit({ actor: scope.actor, action, object: before.id, facts: { state, skipped: skipped.count } });
  const after: Subscription = { ...before, state, stateReason: undefined, stateSince: at, updatedAt: at };
  const facts = { ...after, subscriptionId: before.id, disabledAt: before.stateSince };
  if (!isPaused) await emit(subscriptionEvent("subscription.enabled", facts));
  if (before.awaitsPing) await deps.sendPing(change, after, scope);
  return { after, skipped };
}

/** What was skipped or given up at `since` or later, and where a recovery of all of it begins. */
async function missedSince(
  { ofSubscription }: StatesDeps,
  { id, stateSince }: Subscription,
  { since, at, db }: { readonly since: Date; readonly at: Date; readonly db: Change<WebhooksTables>["db"] },
): Promise<SkippedMeanwhile> {
  const madeSince = new Date(at.getTime() - RECOVERABLE_MS);
  const start = liesAhead(since, at) ? madeSince : since;
  const began = liesAhead(stateSince, at) ? at : stateSince;
  const {
    count,
    isMore,
    from = began,
  } = await ofSubscription.findMissed(db, id, { since: start, madeSince, besides: PING });
  // Of more than are counted, the earliest may have waited for its last attempt at `since`.
  const waiting = new Date(start.getTime() - WAITING_MS_MAX);
  const earliest = isMore && waiting < from ? waiting : from;
  // A delivery that waited for a retry is older than the pause that skipped it, and so is the one that was answered 410.
  const first = earliest < began ? earliest : began;
  return { since: first < madeSince ? madeSince : first, count };
}

/** What disabled it began before: every delivery since its endpoint acknowledged an event was given up (R-X276). */
async function lastAcknowledged(
  { ofSubscription }: StatesDeps,
  { id, createdAt, stateSince }: Subscription,
  { db }: Change<WebhooksTables>,
): Promise<Date> {
  const last = (await ofSubscription.findLastAcknowledged(db, id, { besides: PING })) ?? createdAt;
  return last < stateSince ? last : stateSince;
}

function assertNotDisabled({ state }: Subscription): void {
  if (state === "disabled")
    throw failedPrecondition(
      "subscription_disabled",
      "The subscription is disabled. Enable it first, when its endpoint is in order again.",
    );
}
