import {
  type Attempt as AttemptMessage,
  type Delivery as DeliveryMessage,
  DeliveryState as StateMessage,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { firstCharacters } from "#runtime/basis/text.ts";
import { type Attempt, withoutQuery } from "./attempt.ts";
import type { ListedDelivery } from "./listed-delivery.ts";

/** Characters of an answer's body that are shown. */
const ANSWER_LENGTH_MAX = 500;

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
  firstCharacters(
    Buffer.from(body)
      .toString("utf8")
      .replaceAll(/[\s\p{C}\uFFFD]+/gu, " ")
      .trim(),
    ANSWER_LENGTH_MAX,
  );
