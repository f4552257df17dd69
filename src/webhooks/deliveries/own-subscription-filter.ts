import { invalidArgument } from "#runtime/basis/errors.ts";
import type { OwnSubscriptionRepository } from "./own-subscription-repository.ts";

/**
 * A list's filter by a subscription names one that is, or was, the integration's own.
 * @throws INVALID_ARGUMENT for another integration's, with the same answer as for one that does not exist (R-X298).
 */
export async function assertOwnSubscription(
  subscriptions: Pick<OwnSubscriptionRepository, "isOwn">,
  integrationId: string,
  subscriptionId: string,
): Promise<void> {
  if (!(await subscriptions.isOwn(integrationId, subscriptionId)))
    throw invalidArgument([
      { field: "subscription_id", reason: "must be the id of a subscription of this integration" },
    ]);
}
