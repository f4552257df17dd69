import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Scope } from "./scope.ts";
import type { ShownSubscriptionDeps } from "./shown-subscription-service.ts";
import type { LockedSubscription, SubscriptionChangeRepository } from "./subscription-change-repository.ts";
import { visibleSubscription } from "./subscription-refusals.ts";

export interface SubscriptionChangeDeps extends ShownSubscriptionDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly subscriptionChanges: SubscriptionChangeRepository;
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
      const locked = await subscriptionChanges.lock(change.db, subscriptionId);
      return work(visibleSubscription(scope, locked, subscriptionId), change);
    },
    { requestId },
  );
