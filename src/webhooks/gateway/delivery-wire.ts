import { type Attempt, type Delivery, DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { optional, present, toInstant, type Wire } from "./wire.ts";

export function toWireDelivery(message: Delivery | null): Wire["Delivery"] {
  const delivery = present(message);
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    subscriptionId: delivery.subscriptionId,
    state: present(lowerWordOf(DeliveryState, delivery.state)),
    ...optional("reason", delivery.reason),
    createdAt: toInstant(delivery.createdAt),
    ...(delivery.dueAt ? { dueAt: toInstant(delivery.dueAt) } : {}),
    attempts: delivery.attempts.map(toWireAttempt),
    bodyRemoved: delivery.bodyRemoved,
  };
}

const toWireAttempt = (attempt: Attempt): Wire["Attempt"] => ({
  round: attempt.round,
  attemptNumber: attempt.attemptNumber,
  startedAt: toInstant(attempt.startedAt),
  ...(attempt.finishedAt ? { finishedAt: toInstant(attempt.finishedAt) } : {}),
  outcome: attempt.outcome,
  ...optional("httpStatus", attempt.httpStatus),
  ...optional("durationMs", attempt.durationMs),
  ...optional("endpoint", attempt.endpoint),
  ...optional("answer", attempt.answer),
});
