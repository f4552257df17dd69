import type { Subscription as SubscriptionMessage } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Database } from "#runtime/database/database.ts";
import type { SecretRepository } from "../secrets/secret-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Subscription } from "./subscription.ts";
import { toMessage } from "./subscription-message.ts";

export interface ShownSubscriptionDeps {
  readonly db: Database<WebhooksTables>;
  readonly clock: Clock;
  readonly secrets: SecretRepository;
}

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
