import type { AttemptOutcome, ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { toOutcomeClass } from "../deliveries/outcome.ts";
import type { AttemptResult } from "./attempt-sender.ts";
import type { TroubleWatch } from "./trouble-watch.ts";

/** What the worker tells of an attempt; one that never left is told with the pause that its trouble asks for. */
export function reportOf(
  { deliveryId, fence, round, attemptNumber }: ClaimedAttempt,
  { outcome, trouble, ...rest }: AttemptResult,
  troubles: Pick<TroubleWatch, "happened">,
): AttemptOutcome {
  const pauseMs = trouble === undefined ? 0 : troubles.happened(trouble);
  return { deliveryId, fence, round, attemptNumber, class: toOutcomeClass(outcome), pauseMs, ...rest };
}
