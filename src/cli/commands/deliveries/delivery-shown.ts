import { type Attempt, type Delivery, DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Facts } from "../../output/card.ts";
import { enumWord } from "../../output/enum-word.ts";
import { toJsonInstant, toShownInstant, toShownSecond } from "../../output/instant.ts";

/** Columns of a list of deliveries. */
export const COLUMNS = [
  { heading: "event", cell: ({ eventType }: Delivery) => eventType },
  { heading: "state", cell: (delivery: Delivery) => stateOf(delivery) },
  { heading: "last attempt", cell: ({ attempts }: Delivery) => shownAttempt(attempts.at(-1)) },
  { heading: "to", cell: ({ subscriptionLabel }: Delivery) => subscriptionLabel },
  { heading: "created", cell: ({ createdAt }: Delivery) => toShownInstant(createdAt) },
  { heading: "id", cell: ({ id }: Delivery) => id },
];

/** A delivery as people see it, with every attempt. */
export const deliveryFacts = (delivery: Delivery): Facts => [
  ["id", delivery.id],
  ["event", `${delivery.eventType} (${delivery.eventId})`],
  ["subscription", `${delivery.subscriptionLabel} (${delivery.subscriptionId})`],
  ["state", stateOf(delivery)],
  ["created", toShownSecond(delivery.createdAt)],
  ["body", delivery.bodyRemoved ? "removed: bodies are kept for webhook-body-days" : undefined],
  ...delivery.attempts.flatMap((attempt): Facts => {
    const name = attempt.round === 1 ? "attempt" : `round ${attempt.round}, attempt`;
    return [
      [`${name} ${attempt.attemptNumber}`, `${shownEnd(attempt)}, ${toShownSecond(attempt.startedAt)}`],
      ["  sent to", attempt.endpoint ?? undefined],
      ["  answer", attempt.answer ? attempt.answer : undefined],
    ];
  }),
];

const stateOf = ({ state, reason, dueAt }: Delivery): string => {
  const word = enumWord(DeliveryState, state);
  if (dueAt) return `${word}, next attempt ${toShownInstant(dueAt)}`;
  return reason ? `${word} (${reason.replaceAll("_", " ")})` : word;
};

/** The place of an answer's status in what is said of it. */
const STATUS = "<status>";

/** How an attempt ended, in words that follow the host. */
const CAUSES: Readonly<Record<string, string>> = {
  acknowledged: ` acknowledged it with ${STATUS}`,
  redirect: ` answered ${STATUS}, a redirect, which is not followed`,
  refused: ` refused it with ${STATUS}`,
  gone: ` answered ${STATUS}: it wants no more events`,
  timeout: " did not answer in time",
  dns: ": no such name (DNS)",
  tls: ": no valid TLS: its certificate has expired, is not trusted or is for another name, or there is none at this port",
  connection: " accepts no connection, or ended it",
  address: ": webhooks may not be sent to this address",
  protocol: " did not answer in HTTP",
  in_flight: ": under way",
  lost: ": outcome lost, as Gatehouse was stopped",
};

/** `2: hooks.example refused it with 500, in 13 ms` */
const shownAttempt = (attempt: Attempt | undefined): string | null =>
  attempt === undefined ? null : `${attempt.attemptNumber}: ${shownEnd(attempt)}`;

const shownEnd = ({ outcome, httpStatus, durationMs, endpoint }: Attempt): string => {
  const duration = typeof durationMs === "number" ? `, in ${durationMs} ms` : "";
  return `${hostOf(endpoint)}${causeOf(outcome, httpStatus)}${duration}`;
};

/** An answer that broke off has a status beside its cause. */
function causeOf(outcome: string, httpStatus: number | null | undefined): string {
  const cause = CAUSES[outcome] ?? `: ${outcome}`;
  const status = typeof httpStatus === "number" ? String(httpStatus) : undefined;
  if (cause.includes(STATUS)) return cause.replace(STATUS, status ?? "an unknown status");
  return status === undefined ? cause : `${cause} (status ${status})`;
}

const hostOf = (endpoint: string | null | undefined): string =>
  typeof endpoint === "string" && URL.canParse(endpoint) ? new URL(endpoint).host : "the endpoint";

/** A delivery as `--json` shows it. */
export const toDeliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  subscriptionId: delivery.subscriptionId,
  subscriptionLabel: delivery.subscriptionLabel,
  state: enumWord(DeliveryState, delivery.state),
  reason: delivery.reason ?? null,
  createdAt: toJsonInstant(delivery.createdAt),
  dueAt: toJsonInstant(delivery.dueAt),
  bodyRemoved: delivery.bodyRemoved,
  attempts: delivery.attempts.map(toAttemptJson),
});

const toAttemptJson = (attempt: Attempt) => ({
  round: attempt.round,
  attemptNumber: attempt.attemptNumber,
  startedAt: toJsonInstant(attempt.startedAt),
  finishedAt: toJsonInstant(attempt.finishedAt),
  outcome: attempt.outcome,
  httpStatus: attempt.httpStatus ?? null,
  durationMs: attempt.durationMs ?? null,
  endpoint: attempt.endpoint ?? null,
  answer: attempt.answer ?? null,
});
