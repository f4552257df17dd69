import type {
  PingSubscriptionRequest,
  PingSubscriptionResponse,
} from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import type { DeliveryId } from "#runtime/basis/ids.ts";
import { pause } from "#runtime/process/loop.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { toDeliveryMessage } from "../deliveries/delivery-message.ts";
import type { DeliveryRepository } from "../deliveries/delivery-repository.ts";
import type { ListedDelivery } from "../deliveries/listed-delivery.ts";
import type { SubscriptionDeliveriesRepository } from "../deliveries/subscription-deliveries-repository.ts";
import { WAIT_MS_MAX } from "../deliveries/waits.ts";
import { changedSubscription, type SubscriptionChangeDeps } from "../subscriptions/changed-subscription-service.ts";
import type { Scope } from "../subscriptions/scope.ts";
import type { SendPing } from "../subscriptions/send-ping-service.ts";
import { shownSubscription } from "../subscriptions/shown-subscription-service.ts";
import { isPullOnly, type Subscription } from "../subscriptions/subscription.ts";
import { assertNotRevoked, notConfigured, unknownSubscription } from "../subscriptions/subscription-refusals.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";

/** How long a lost wake-up may go unnoticed: less than elsewhere, since a person waits. */
const LOOK_AGAIN_MS = 250;

interface PingsDeps extends SubscriptionChangeDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly deliveries: DeliveryRepository;
  readonly ofSubscription: SubscriptionDeliveriesRepository;
  readonly sendPing: SendPing;
  readonly wake: Wake;
}

/**
 * Pings a subscription's endpoint and waits for what comes back; while a ping is under way already, for that one. An
 * acknowledgement makes a pending subscription active, whether or not the caller still waits (R-X270, R-X271).
 * @throws INVALID_ARGUMENT; NOT_FOUND; FAILED_PRECONDITION (instance_integration_revoked,
 * instance_integration_not_configured, subscription_pull_only); RESOURCE_EXHAUSTED (too_many_pings) with the seconds to wait (R-X344).
 */
export const pingSubscription = (deps: PingsDeps) => {
  const settled = settledPings(deps);
  return async (
    scope: Scope,
    { subscriptionId, waitMs, ifMatch }: PingSubscriptionRequest,
    call: Call,
  ): Promise<PingSubscriptionResponse> => {
    if (!(waitMs >= 0 && waitMs <= WAIT_MS_MAX))
      throw invalidArgument([{ field: "wait_ms", reason: `must be 0 to ${WAIT_MS_MAX}` }]);
    const { requestId } = call;
    const deliveryId = await changedSubscription(
      deps,
      scope,
      { subscriptionId, ifMatch, requestId },
      async (before, change) => {
        assertPingable(before);
        const { lastPing } = before;
        if (lastPing !== undefined && (await deps.ofSubscription.isUnderWay(change.db, lastPing))) return lastPing;
        await change.audit({ actor: scope.actor, action: "subscription.ping", object: before.id });
        return deps.sendPing(change, before, scope);
      },
    );
    const ping = await settled(deliveryId, waitMs, call);
    const after = await deps.subscriptions.find(deps.db, subscriptionId);
    if (after === undefined || ping === undefined) throw unknownSubscription(subscriptionId);
    return { subscription: await shownSubscription(deps, after), ping: toDeliveryMessage(ping) };
  };
};

function assertPingable(subscription: Subscription): void {
  assertNotRevoked(subscription);
  // Before what the subscription itself is (R-X346).
  if (subscription.connection === "unconfigured") throw notConfigured();
  if (isPullOnly(subscription))
    throw failedPrecondition(
      "subscription_pull_only",
      "The subscription has no endpoint that could be pinged. Its events are read from the feed.",
    );
}

/** What everyone has in common who waits for one ping. */
interface Look {
  waiting: number;
  /** Resolves once the ping is settled, or nobody waits for it. */
  readonly ended: Promise<void>;
  readonly abandoned: AbortController;
}

/**
 * Gives the delivery once it is settled, or as it is when the time has passed. However many wait for a ping, the store is
 * asked for all of them together: every outcome of any delivery wakes them.
 */
function settledPings(deps: PingsDeps) {
  const { wake } = deps;
  const looks = new Map<DeliveryId, Look>();

  async function look(deliveryId: DeliveryId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Taken before looking, so that an outcome in between is not missed.
      const ticket = wake.ticket(DELIVERIES_CHANNEL);
      const ping = await find(deps, deliveryId);
      if (ping?.state !== "pending") return;
      await wake.after(DELIVERIES_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
    }
  }

  function begin(deliveryId: DeliveryId): Look {
    const abandoned = new AbortController();
    const begun = { waiting: 0, ended: look(deliveryId, abandoned.signal), abandoned };
    looks.set(deliveryId, begun);
    return begun;
  }

  return async (deliveryId: DeliveryId, waitMs: number, { waiting }: Call): Promise<ListedDelivery | undefined> => {
    if (waitMs > 0 && !waiting.aborted) {
      const shared = looks.get(deliveryId) ?? begin(deliveryId);
      shared.waiting++;
      const answered = new AbortController();
      try {
        await Promise.race([shared.ended, pause(waitMs, AbortSignal.any([waiting, answered.signal]))]);
      } finally {
        answered.abort();
        shared.waiting--;
        if (shared.waiting === 0) {
          looks.delete(deliveryId);
          shared.abandoned.abort();
        }
      }
    }
    return find(deps, deliveryId);
  };
}

const find = async ({ deliveries }: PingsDeps, deliveryId: DeliveryId): Promise<ListedDelivery | undefined> => {
  const [found] = await deliveries.list({
    deliveryId,
    subscriptionId: undefined,
    eventId: undefined,
    states: [],
    before: undefined,
    limit: 1,
  });
  return found;
};
