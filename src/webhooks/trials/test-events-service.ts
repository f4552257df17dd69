import { EVENT_TYPES, type EventType } from "#generated/event-types.ts";
import type {
  TriggerTestEventRequest,
  TriggerTestEventResponse,
} from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import { newTimedId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { DELIVERIES_CHANNEL, FEED_CHANNEL } from "../deliveries/delivery.ts";
import { patternMatches } from "../deliveries/event-type-pattern.ts";
import type { NewDeliveryRepository } from "../deliveries/new-delivery-repository.ts";
import { owedDelivery } from "../events/owed-delivery.ts";
import { type MinuteAllowance, takeOrRefuse } from "../subscriptions/minute-allowance.ts";
import type { Scope } from "../subscriptions/scope.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { visibleSubscription } from "../subscriptions/subscription-refusals.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { type TestSequences, testEvent } from "./test-event.ts";

const TEST_EVENTS = { reason: "too_many_test_events", what: "test events", done: "triggered" };

export interface TestEvents {
  /**
   * Makes a test event for one subscription alone: a delivery like every other, sent and in the feed (R-X317).
   * @throws INVALID_ARGUMENT when there is no such type; NOT_FOUND (subscription_not_found) outside the scope too;
   * FAILED_PRECONDITION (event_type_not_subscribed); RESOURCE_EXHAUSTED (too_many_test_events) with the seconds to wait.
   */
  trigger(
    scope: Scope,
    request: TriggerTestEventRequest,
    call: Pick<Call, "requestId">,
  ): Promise<TriggerTestEventResponse>;
}

interface TestEventsDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly random: Random;
  readonly subscriptions: SubscriptionRepository;
  readonly newDeliveries: NewDeliveryRepository;
  readonly delaysMs: readonly number[];
  readonly allowance: MinuteAllowance;
  readonly sequenceAt: TestSequences;
}

export const createTestEvents = ({
  changes,
  random,
  subscriptions,
  newDeliveries,
  delaysMs,
  allowance,
  sequenceAt,
}: TestEventsDeps): TestEvents => ({
  async trigger(scope, { subscriptionId, eventType: asked }, { requestId }) {
    const eventType = EVENT_TYPES.find((one) => one === asked);
    if (eventType === undefined) {
      throw invalidArgument([{ field: "event_type", reason: `must be one of ${EVENT_TYPES.join(", ")}` }]);
    }
    return changes.run(
      async ({ db, at, audit, once, wakeAfter }) => {
        const found = await subscriptions.find(db, subscriptionId);
        const subscription = visibleSubscription(scope, found, subscriptionId);
        assertAskedFor(subscription, eventType);
        once(allowance, () => takeOrRefuse(allowance, subscription.integrationId, TEST_EVENTS));
        const event = testEvent(eventType, {
          eventId: newTimedId("event", at, random),
          sequence: sequenceAt(at),
          occurredAt: at,
          instanceId: subscription.instanceId,
        });
        const delivery = owedDelivery(subscription, event, { at, random, delaysMs });
        await newDeliveries.create(db, [delivery]);
        wakeAfter(FEED_CHANNEL);
        if (delivery.state === "pending") wakeAfter(DELIVERIES_CHANNEL);
        const facts = { eventId: event.eventId, eventType };
        await audit({ actor: scope.actor, action: "subscription.triggerTestEvent", object: subscription.id, facts });
        return { eventId: event.eventId, deliveryId: delivery.id, blockedReason: delivery.reason ?? null };
      },
      { requestId },
    );
  },
});

function assertAskedFor({ eventTypes }: Subscription, eventType: EventType): void {
  if (!eventTypes.some((pattern) => patternMatches(pattern, eventType))) {
    throw failedPrecondition(
      "event_type_not_subscribed",
      `The subscription asks for ${eventTypes.join(", ")}, not for ${eventType}: change its event types first.`,
    );
  }
}
