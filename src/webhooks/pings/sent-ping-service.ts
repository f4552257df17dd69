import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import type { NewDeliveryRepository } from "../deliveries/new-delivery-repository.ts";
import { owedDelivery } from "../events/owed-delivery.ts";
import { type CountPing, PING } from "../subscriptions/ping.ts";
import type { SendPing } from "../subscriptions/send-ping-service.ts";
import type { SubscriptionChangeRepository } from "../subscriptions/subscription-change-repository.ts";

interface SentPingDeps {
  readonly newDeliveries: NewDeliveryRepository;
  readonly subscriptionChanges: SubscriptionChangeRepository;
  readonly random: Random;
  readonly countPing: CountPing;
}

/**
 * A ping is a delivery like every other: queued, signed, sent past the address guard and recorded. It has one attempt,
 * since its caller waits for it (R-X271).
 */
export const sentPing =
  ({ newDeliveries, subscriptionChanges, random, countPing }: SentPingDeps): SendPing =>
  async ({ db, at, once, wakeAfter }, subscription, scope) => {
    once(countPing, () => countPing(scope));
    const delivery = owedDelivery(
      subscription,
      {
        eventId: newTimedId("event", at, random),
        eventType: PING,
        occurredAt: at,
        // Older than every event about the subscription (R-X293): a receiver that drops what is older loses none of them.
        sequence: 0,
        entity: { type: "subscription", id: subscription.id },
        instanceId: subscription.instanceId,
        tenantId: null,
        selfPath: `/v1/webhooks/subscriptions/${subscription.id}`,
        data: { subscriptionId: subscription.id, label: subscription.label },
      },
      { at, random, delaysMs: [] },
    );
    await newDeliveries.create(db, [delivery]);
    await subscriptionChanges.replaceLastPing(db, subscription.id, delivery.id);
    wakeAfter(DELIVERIES_CHANNEL);
    return delivery.id;
  };
