import type {
  EventExplanation,
  ExplainEventRequest,
  ExplainEventResponse,
} from "#generated/proto/gatehouse/webhooks/v1/events.ts";
import { invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import type { TakenEntry } from "#runtime/outbox/outbox.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { toDeliveryMessage } from "../deliveries/delivery-message.ts";
import type { DeliveryRepository } from "../deliveries/delivery-repository.ts";
import type { ListedDelivery } from "../deliveries/listed-delivery.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import { operatorScope, type Scope } from "../subscriptions/scope.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { visibleSubscription } from "../subscriptions/subscription-refusals.ts";
import type { EventRepository, KeptEvent } from "./event-repository.ts";
import { toEventMessage } from "./events-service.ts";
import { deliverySentence, judge, unmatchedSentence } from "./explanation.ts";
import { keptEventOf } from "./kept-event.ts";

/** Which event, and for whom. */
interface ExplainQuestion {
  readonly eventId: string;
  readonly subscriptionId: string;
}

export interface EventExplanations {
  /**
   * Why a subscription got an event, or did not. An integration is told of events of its own instances alone.
   * @throws INVALID_ARGUMENT naming every wrong field; NOT_FOUND (event_not_found, subscription_not_found), also for what
   * the scope does not contain.
   */
  explain(scope: Scope, question: ExplainQuestion): Promise<EventExplanation>;
}

interface ExplainDeps {
  readonly events: EventRepository;
  readonly findSubscription: (subscriptionId: string) => Promise<Subscription | undefined>;
  readonly deliveries: DeliveryRepository;
  readonly findWaiting: (eventId: string) => Promise<TakenEntry | undefined>;
}

type KnownEvent = Omit<KeptEvent, "deliveries"> & Partial<KeptEvent>;

export const eventExplanations = ({
  events,
  findSubscription,
  deliveries,
  findWaiting,
}: ExplainDeps): EventExplanations => ({
  async explain(scope, question) {
    check(question);
    const { eventId, subscriptionId } = question;
    const subscription = visibleSubscription(scope, await findSubscription(subscriptionId), subscriptionId);
    const ofBoth = { subscriptionId, eventId, deliveryId: undefined, states: [], before: undefined, limit: 1 };
    const [made] = await deliveries.list(ofBoth);
    // Without one, in the order in which an event moves: one that is relayed meanwhile is found behind. One with many
    // receivers waits and is kept until its last delivery is made (R-X235).
    const waiting = made === undefined ? await findWaiting(eventId) : undefined;
    const kept = await events.find(eventId);
    const [delivery] = made === undefined ? await deliveries.list(ofBoth) : [made];
    const event = kept ?? (waiting && keptEventOf(waiting));
    const about = { subscriptionId, subscriptionLabel: subscription.label };
    if (delivery !== undefined) return { ...about, ...sent(subscription, delivery, event) };
    // What another integration's instances emit is not for this one to know.
    const isOwn = scope.kind === "operator" || isOf(subscription, event);
    if (event === undefined || !isOwn)
      throw notFound("event_not_found", "Event not found. Recent events are kept, and those that wait to be relayed.");
    return { ...about, ...notSent(subscription, event, waiting !== undefined) };
  },
});

const isOf = ({ instanceId, instanceIntegrationId }: Subscription, event: KnownEvent | undefined): boolean =>
  event?.instanceId === instanceId && (event.ownerId === null || event.ownerId === instanceIntegrationId);

/** Explains an event to operators. */
export const explainEvent =
  ({ explain }: EventExplanations) =>
  async (request: ExplainEventRequest, call: Call): Promise<ExplainEventResponse> => ({
    explanation: await explain(operatorScope(call), request),
  });

function check({ eventId, subscriptionId }: ExplainQuestion): void {
  const violations = [
    ...idViolations("event", "event_id", eventId),
    ...idViolations("subscription", "subscription_id", subscriptionId),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
}

type Explained = Pick<EventExplanation, "event" | "rules" | "delivery" | "sentence">;

const sent = (subscription: Subscription, delivery: ListedDelivery, event: KnownEvent | undefined): Explained => ({
  event: event === undefined ? ofDelivery(delivery) : toEventMessage(event),
  rules: [],
  delivery: toDeliveryMessage(delivery),
  sentence: deliverySentence(delivery, blockedBy(subscription, delivery.eventType)),
});

function notSent(subscription: Subscription, event: KnownEvent, isWaiting: boolean): Explained {
  const rules = judge(subscription, event);
  return {
    event: toEventMessage(event),
    rules: rules.map((rule) => ({ ...rule })),
    delivery: undefined,
    sentence: unmatchedSentence(rules, isWaiting),
  };
}

/** Of a test event, or of one from before events were kept. */
const ofDelivery = ({ eventId, eventType }: ListedDelivery): EventExplanation["event"] => ({
  id: eventId,
  type: eventType,
  occurredAt: null,
  entityType: "",
  entityId: "",
  instanceId: "",
  tenantId: null,
  sequence: 0,
  deliveries: null,
});
