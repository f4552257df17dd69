import type {
  DeleteSubscriptionRequest,
  DeleteSubscriptionResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { FEED_ENDS_CHANNEL } from "../deliveries/delivery.ts";
import type { SubscriptionDeliveriesRepository } from "../deliveries/subscription-deliveries-repository.ts";
import { changedSubscription, type SubscriptionChangeDeps } from "./changed-subscription-service.ts";
import { DELETED } from "./may-send.ts";
import type { Scope } from "./scope.ts";
import { toMessage } from "./subscription-message.ts";

interface DeletionDeps extends SubscriptionChangeDeps {
  readonly ofSubscription: SubscriptionDeliveriesRepository;
}

/** What one transaction cancels; a larger one would keep other writers of an embedded store waiting. */
const CANCELLED_MAX = 500;

/**
 * Deletes a subscription for good: its secrets and headers are erased, its label is free, and what waits is cancelled
 * (R-X277). An attempt under way ends as it ends, and no other follows; a read that waits at the end of the feed ends
 * (R-X290). What a crash leaves waiting is cancelled when it
 * comes due.
 * @throws NOT_FOUND.
 */
export const deleteSubscription =
  (deps: DeletionDeps) =>
  async (
    scope: Scope,
    { subscriptionId, ifMatch }: DeleteSubscriptionRequest,
    { requestId }: Call,
  ): Promise<DeleteSubscriptionResponse> => {
    const before = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, { db, at, audit, wakeAfter }) => {
        const live = (await deps.secrets.listLive(db, [before.id], at)).get(before.id) ?? [];
        await deps.subscriptionChanges.end(db, before, at);
        const facts = { label: before.label };
        await audit({ actor: scope.actor, action: "subscription.delete", object: before.id, facts });
        wakeAfter(FEED_ENDS_CHANNEL);
        return toMessage(before, live);
      },
    );
    const cancelSome = () =>
      deps.changes.run(
        ({ db, at }) =>
          deps.ofSubscription.cancelWaiting(
            db,
            before.id as SubscriptionId,
            { reason: DELETED.reason, limit: CANCELLED_MAX },
            at,
          ),
        { requestId, recognizesItself: true },
      );
    while ((await cancelSome()) === CANCELLED_MAX);
    return { subscription: before };
  };
