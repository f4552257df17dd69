import type {
  ListPublicKeysRequest,
  ListPublicKeysResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { ShownSubscriptionDeps } from "./shown-subscription-service.ts";
import { unknownSubscription } from "./subscription-refusals.ts";
import type { SubscriptionRepository } from "./subscription-repository.ts";

interface PublicKeysDeps extends ShownSubscriptionDeps {
  readonly subscriptions: SubscriptionRepository;
}

/**
 * The public keys of a subscription's key pairs that sign now, newest first, for anybody who knows its id (R-X274).
 * @throws NOT_FOUND (subscription_not_found), also for a subscription without a key pair.
 */
export const listPublicKeys =
  ({ db, clock, secrets, subscriptions }: PublicKeysDeps) =>
  async ({ subscriptionId }: ListPublicKeysRequest): Promise<ListPublicKeysResponse> => {
    const subscription = await subscriptions.find(db, subscriptionId);
    const live = await secrets.listLive(db, [subscriptionId], clock.now());
    const keys = (live.get(subscriptionId) ?? []).flatMap(({ number, publicKey, expiresAt }) =>
      publicKey === undefined ? [] : [{ number, publicKey, expiresAt: expiresAt ?? null }],
    );
    if (subscription === undefined || keys.length === 0) throw unknownSubscription(subscriptionId);
    return { keys };
  };
