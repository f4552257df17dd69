import type {
  EnableSubscriptionRequest,
  EnableSubscriptionResponse,
  PauseSubscriptionRequest,
  PauseSubscriptionResponse,
  ResumeSubscriptionRequest,
  ResumeSubscriptionResponse,
  SkippedMeanwhile,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SubscriptionDeliveriesRepository } from "../deliveries/subscription-deliveries-repository.ts";
import { subscriptionEvent } from "../operational/operational-event.ts";
import type { WebhooksTables } from "../tables.ts";
import {
  assertNotRevoked,
  changedSubscription,
  type SendPing,
  type SubscriptionChangeDeps,
  shownSubscription,
} from "./changed-subscription-service.ts";
import { PING } from "./ping.ts";
import type { Scope } from "./scope.ts";
import type { Subscription } from "./subscription.ts";

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
    { subscriptionId }: PauseSubscriptionRequest,
    { requestId }: Call,
  ): Promise<PauseSubscriptionResponse> => {
    const after = await changedSubscription(deps, scope, { subscriptionId, requestId }, async (before, change) => {
      assertNotRevoked(before);
      assertNotDisabled(before);
      if (before.state === "paused") return before;
      const { db, at, audit } = change;
      await deps.subscriptionChanges.replaceState(db, before.id, "paused", at);
      await audit({ actor: scope.actor, action: "subscription.pause", object: before.id });
      return { ...before, state: "paused" as const, stateSince: at, updatedAt: at };
    });
    return { subscription: await shownSubscription(deps, after) };
  };

/**
 * Ends a pause. Has no effect on a subscription that is not paused.
 * @throws NOT_FOUND; FAILED_PRECONDITION (subscription_disabled, instance_integration_revoked); RESOURCE_EXHAUSTED
 * (too_many_pings) when its ping is one too many (R-X344).
 */
export const resumeSubscription =
  (deps: StatesDeps) =>
  async (
    scope: Scope,
    { subscriptionId }: ResumeSubscriptionRequest,
    { requestId }: Call,
  ): Promise<ResumeSubscriptionResponse> => {
    const { after, skipped } = await changedSubscription(
      deps,
      scope,
      { subscriptionId, requestId },
      async (before, change) => {
        assertNotRevoked(before);
        assertNotDisabled(before);
        return before.state === "paused" ? broughtBack(deps, before, scope, change) : unchanged(before);
      },
    );
    return { subscription: await shownSubscription(deps, after), skipped };
  };

/**
 * Enables a disabled subscription again, whatever disabled it. Has no effect on one that is not disabled.
 * @throws NOT_FOUND; FAILED_PRECONDITION (instance_integration_revoked); RESOURCE_EXHAUSTED (too_many_pings) when its
 * ping is one too many (R-X344).
 */
export const enableSubscription =
  (deps: StatesDeps) =>
  async (
    scope: Scope,
    { subscriptionId }: EnableSubscriptionRequest,
    { requestId }: Call,
  ): Promise<EnableSubscriptionResponse> => {
    const { after, skipped } = await changedSubscription(
      deps,
      scope,
      { subscriptionId, requestId },
      async (before, change) => {
        assertNotRevoked(before);
        return before.state === "disabled" ? broughtBack(deps, before, scope, change) : unchanged(before);
      },
    );
    return { subscription: await shownSubscription(deps, after), skipped };
  };

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
  const endedAt = isPaused ? stateSince : await lastAcknowledged(deps, before, change);
  const { count, from = stateSince } = await deps.ofSubscription.findMissed(db, before.id, {
    since: endedAt,
    besides: PING,
  });
  const action = isPaused ? "subscription.resume" : "subscription.enable";
  await audit({ actor: scope.actor, action, object: before.id, facts: { state, skipped: count } });
  const after: Subscription = { ...before, state, stateReason: undefined, stateSince: at, updatedAt: at };
  const facts = { ...after, subscriptionId: before.id, disabledAt: before.stateSince };
  if (!isPaused) await emit(subscriptionEvent("subscription.enabled", facts));
  if (before.awaitsPing) await deps.sendPing(change, after, scope);
  // A delivery that waited for a retry is older than the pause that skipped it, and so is the one that was answered 410.
  const since = from < stateSince ? from : stateSince;
  return { after, skipped: { since, count } };
}

/** What disabled it began before: every delivery since its endpoint acknowledged one was given up (R-X276). */
async function lastAcknowledged(
  { ofSubscription }: StatesDeps,
  { id, createdAt, stateSince }: Subscription,
  { db }: Change<WebhooksTables>,
): Promise<Date> {
  const last = (await ofSubscription.findLastAcknowledged(db, id)) ?? createdAt;
  return last < stateSince ? last : stateSince;
}

function assertNotDisabled({ state }: Subscription): void {
  if (state === "disabled")
    throw failedPrecondition(
      "subscription_disabled",
      "The subscription is disabled. Enable it first, when its endpoint is in order again.",
    );
}
