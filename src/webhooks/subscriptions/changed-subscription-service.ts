import type { Subscription as SubscriptionMessage } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type Failure, failedPrecondition, notFound } from "#runtime/basis/errors.ts";
import { type DeliveryId, parseId } from "#runtime/basis/ids.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { WebhooksTables } from "../tables.ts";
import { type Scope, sees } from "./scope.ts";
import type { SecretRepository } from "./secret-repository.ts";
import type { Subscription } from "./subscription.ts";
import type { LockedSubscription, SubscriptionChangeRepository } from "./subscription-change-repository.ts";
import { toMessage } from "./subscription-message.ts";

export interface ShownSubscriptionDeps {
  readonly db: Database<WebhooksTables>;
  readonly clock: Clock;
  readonly secrets: SecretRepository;
}

/** @throws INVALID_ARGUMENT when the endpoint is another integration's; RESOURCE_EXHAUSTED (too_many_pings). */
export type AssertFreeEndpoint = (db: Database<WebhooksTables>, scope: Scope, endpointUrl: string) => Promise<void>;

/**
 * Makes a ping of the subscription, inside the given change, and remembers it as its latest; returns its delivery.
 * @throws RESOURCE_EXHAUSTED (too_many_pings) with the seconds to wait, for an integration (R-X344).
 */
export type SendPing = (
  change: Change<WebhooksTables>,
  subscription: Subscription,
  scope: Scope,
) => Promise<DeliveryId>;

export interface SubscriptionChangeDeps extends ShownSubscriptionDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly subscriptionChanges: SubscriptionChangeRepository;
}

/** The same answer for what does not exist, what is deleted and what belongs to another integration (R-X279). */
export const unknownSubscription = (id: string): Failure =>
  notFound(
    "subscription_not_found",
    `There is no subscription ${parseId("subscription", id) === undefined ? "of this id" : id}.`,
  );

/** A revoked instance integration is final: nothing of its subscriptions can be brought back (R-E14). */
export function assertNotRevoked({ connection }: Pick<Subscription, "connection">): void {
  if (connection === "revoked")
    throw failedPrecondition(
      "instance_integration_revoked",
      "The instance integration of the subscription is revoked, which is final. Make a subscription of another one.",
    );
}

/**
 * Changes one subscription of the scope in one transaction that locks it. `work` gets the present subscription and
 * returns the new one, and what else the caller wants to know.
 * @throws NOT_FOUND (subscription_not_found).
 */
export const changedSubscription = <More>(
  { changes, subscriptionChanges }: Pick<SubscriptionChangeDeps, "changes" | "subscriptionChanges">,
  scope: Scope,
  { subscriptionId, requestId }: { readonly subscriptionId: string } & Pick<Call, "requestId">,
  work: (before: LockedSubscription, change: Change<WebhooksTables>) => Promise<More>,
): Promise<More> =>
  changes.run(
    async (change) => {
      const before = await subscriptionChanges.lock(change.db, subscriptionId);
      if (before === undefined || !sees(scope, before)) throw unknownSubscription(subscriptionId);
      return work(before, change);
    },
    { requestId },
  );

/** Subscriptions as they are shown, with the secrets that sign now. */
export async function shownSubscriptions(
  { db, clock, secrets }: ShownSubscriptionDeps,
  subscriptions: readonly Subscription[],
): Promise<SubscriptionMessage[]> {
  if (subscriptions.length === 0) return [];
  const live = await secrets.listLive(
    db,
    subscriptions.map(({ id }) => id),
    clock.now(),
  );
  return subscriptions.map((subscription) => toMessage(subscription, live.get(subscription.id) ?? []));
}

/** One subscription as it is shown. */
export async function shownSubscription(
  deps: ShownSubscriptionDeps,
  subscription: Subscription,
): Promise<SubscriptionMessage> {
  const [shown] = await shownSubscriptions(deps, [subscription]);
  if (shown === undefined) throw new Error("One subscription is shown as one.");
  return shown;
}
