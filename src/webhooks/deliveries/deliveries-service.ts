import {
  type Attempt as AttemptMessage,
  type Delivery as DeliveryMessage,
  type ListDeliveriesRequest,
  type ListDeliveriesResponse,
  DeliveryState as StateMessage,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { lowerWordOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { type Attempt, withoutQuery } from "./attempt.ts";
import { parseCursor, toCursor } from "./cursor.ts";
import type { DeliveryFilter, DeliveryRepository, ListedDelivery } from "./delivery-repository.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;
/** Characters of an answer's body that are shown. */
const ANSWER_LENGTH_MAX = 500;

interface DeliveriesDeps {
  readonly deliveries: DeliveryRepository;
}

/**
 * Deliveries with their attempts, newest first, a page at a time.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listDeliveries =
  ({ deliveries }: DeliveriesDeps) =>
  async (request: ListDeliveriesRequest): Promise<ListDeliveriesResponse> => {
    const filter = parseFilter(request);
    // One more than asked for: it shows whether there is a next page.
    const found = await deliveries.list({ ...filter, limit: filter.limit + 1 });
    const page = found.slice(0, filter.limit);
    const last = page.at(-1);
    return {
      deliveries: page.map(toDeliveryMessage),
      nextCursor: found.length > page.length && last !== undefined ? toCursor(last.sequence) : null,
    };
  };

function parseFilter(request: ListDeliveriesRequest): DeliveryFilter {
  const { subscriptionId, states, limit, cursor, deliveryId, eventId } = request;
  const violations: FieldViolation[] = [];
  const wanted = states.map((state) => lowerWordOf(StateMessage, state));
  const before = cursor === null || cursor === undefined ? undefined : parseCursor(cursor);
  if (typeof subscriptionId === "string" && parseId("subscription", subscriptionId) === undefined) {
    violations.push({ field: "subscription_id", reason: "must be the id of a subscription" });
  }
  if (typeof deliveryId === "string" && parseId("delivery", deliveryId) === undefined) {
    violations.push({ field: "delivery_id", reason: "must be the id of a delivery" });
  }
  if (typeof eventId === "string" && parseId("event", eventId) === undefined) {
    violations.push({ field: "event_id", reason: "must be the id of an event" });
  }
  if (wanted.includes(undefined)) violations.push({ field: "states", reason: "must be known states" });
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (typeof cursor === "string" && before === undefined) {
    violations.push({ field: "cursor", reason: "must be the next_cursor of an answer" });
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    subscriptionId: subscriptionId ?? undefined,
    deliveryId: deliveryId ?? undefined,
    eventId: eventId ?? undefined,
    states: [...new Set(wanted.filter((state) => state !== undefined))],
    before,
    limit: limit === 0 ? LIMIT_DEFAULT : limit,
  };
}

/** As operators and integrators see it. */
export const toDeliveryMessage = (delivery: ListedDelivery): DeliveryMessage => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  subscriptionId: delivery.subscriptionId,
  subscriptionLabel: delivery.subscriptionLabel,
  state: valueOfLower(StateMessage, delivery.state),
  reason: delivery.reason ?? null,
  createdAt: delivery.createdAt,
  dueAt: delivery.dueAt ?? null,
  attempts: delivery.attempts.map(toAttemptMessage),
  bodyRemoved: delivery.bodyRemoved,
});

const toAttemptMessage = (attempt: Attempt): AttemptMessage => ({
  round: attempt.round,
  attemptNumber: attempt.number,
  startedAt: attempt.startedAt,
  finishedAt: attempt.finishedAt ?? null,
  outcome: attempt.outcome,
  httpStatus: attempt.httpStatus ?? null,
  durationMs: attempt.durationMs ?? null,
  endpoint: withoutQuery(attempt.endpointUrl),
  answer: attempt.responseExcerpt === undefined ? null : toAnswerText(attempt.responseExcerpt),
});

/** The beginning of a body as plain text: white space and what is not text become one space (R-X195). */
const toAnswerText = (body: Uint8Array): string =>
  Buffer.from(body)
    .toString("utf8")
    .replaceAll(/[\s\p{C}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, ANSWER_LENGTH_MAX);
