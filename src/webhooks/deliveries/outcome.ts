import { OutcomeClass } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";

/** How a reported attempt failed, in the words of the store, of metrics and of operators. */
const FAILURES = ["redirect", "refused", "gone", "timeout", "dns", "tls", "connection", "address", "protocol"] as const;

/** How a reported attempt ended. */
const OUTCOMES = ["acknowledged", ...FAILURES] as const;

/** How an attempt that counts and was not acknowledged ended. */
export const FAILED_OUTCOMES = [...FAILURES, "lost"] as const;

export type FailedOutcome = (typeof FAILED_OUTCOMES)[number];

export type Outcome = (typeof OUTCOMES)[number];

/** The request never left, for a trouble of the worker's own: no attempt was made (R-X142). */
export type NotSent = "not_sent";

/** `lost`: the outcome never arrived, and the attempt is spent (R-E8). */
export type AttemptState = Outcome | "in_flight" | "lost";

export const toOutcomeClass = (outcome: Outcome | NotSent): OutcomeClass => valueOfLower(OutcomeClass, outcome);

const BY_CLASS: ReadonlyMap<OutcomeClass, Outcome> = new Map(
  OUTCOMES.map((outcome) => [toOutcomeClass(outcome), outcome]),
);

/** The class's own word; `undefined` for a class that this program does not know, and for what was not sent. */
export const toOutcome = (outcomeClass: OutcomeClass): Outcome | undefined => BY_CLASS.get(outcomeClass);

export const isNotSent = (outcomeClass: OutcomeClass): boolean => outcomeClass === OutcomeClass.NOT_SENT;

/** False for a class that this program does not know. */
export const isKnownClass = (outcomeClass: OutcomeClass): boolean =>
  BY_CLASS.has(outcomeClass) || isNotSent(outcomeClass);

/** What a status means (R-E6): success is 2xx only, a redirect is never followed. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status <= 299) return "acknowledged";
  if (status >= 300 && status <= 399) return "redirect";
  return status === 410 ? "gone" : "refused";
}
