import type { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Database } from "#runtime/database/database.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { DeliveryRepository } from "./deliveries/delivery-repository.ts";
import type { NewDeliveryRepository } from "./deliveries/new-delivery-repository.ts";
import type { SubscriptionDeliveriesRepository } from "./deliveries/subscription-deliveries-repository.ts";
import type { EndpointRules } from "./endpoints/endpoint-url.ts";
import { pingAllowance } from "./pings/ping-allowance.ts";
import { pingSubscription } from "./pings/pings-service.ts";
import { sentPing } from "./pings/sent-ping-service.ts";
import { secretRepository } from "./secrets/secret-repository.ts";
import { assertFreeEndpoint } from "./subscriptions/free-endpoint-service.ts";
import { listPublicKeys } from "./subscriptions/public-keys-service.ts";
import { revokeSecret, rotateSecret } from "./subscriptions/secrets-service.ts";
import { subscriptionChangeRepository } from "./subscriptions/subscription-change-repository.ts";
import { deleteSubscription } from "./subscriptions/subscription-deletion-service.ts";
import type { SubscriptionRepository } from "./subscriptions/subscription-repository.ts";
import {
  enableSubscription,
  pauseSubscription,
  resumeSubscription,
} from "./subscriptions/subscription-states-service.ts";
import { updateSubscription } from "./subscriptions/subscription-update-service.ts";
import { createSubscription, getSubscription, listSubscriptions } from "./subscriptions/subscriptions-service.ts";
import type { WebhooksTables } from "./tables.ts";

interface SubscriptionsCompositionDeps {
  readonly db: Database<WebhooksTables>;
  readonly changes: Changes<WebhooksTables>;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly sealer: Sealer;
  readonly workforce: PromiseClient<typeof ConnectionsService>;
  readonly endpoints: EndpointRules;
  readonly subscriptions: SubscriptionRepository;
  readonly deliveries: DeliveryRepository;
  readonly newDeliveries: NewDeliveryRepository;
  readonly ofSubscription: SubscriptionDeliveriesRepository;
}

/** Everything that can be done with subscriptions; each method but the last is called on behalf of a scope. */
export function composeSubscriptions(given: SubscriptionsCompositionDeps) {
  const { db, changes, clock, random, sealer, subscriptions, newDeliveries, ofSubscription } = given;
  const subscriptionChanges = subscriptionChangeRepository;
  const countPing = pingAllowance(clock);
  const sendPing = sentPing({ newDeliveries, subscriptionChanges, random, countPing });
  const assertFree = assertFreeEndpoint({ subscriptions, countPing });

  // Every answer shows a subscription with the secrets that sign.
  const shown = { db, clock, secrets: secretRepository };
  const changed = { ...shown, changes, subscriptionChanges };
  const pinging = { ...given, ...changed, assertFree, sendPing };
  return {
    create: createSubscription(pinging),
    list: listSubscriptions({ ...shown, subscriptions }),
    get: getSubscription({ ...shown, subscriptions }),
    update: updateSubscription(pinging),
    pause: pauseSubscription(changed),
    resume: resumeSubscription(pinging),
    enable: enableSubscription(pinging),
    remove: deleteSubscription({ ...changed, ofSubscription }),
    ping: pingSubscription(pinging),
    rotateSecret: rotateSecret({ ...changed, sealer, random }),
    revokeSecret: revokeSecret(changed),
    listPublicKeys: listPublicKeys({ ...shown, subscriptions }),
  };
}

export type ComposedSubscriptions = ReturnType<typeof composeSubscriptions>;
