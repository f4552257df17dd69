import { ApplicationFailureCategory } from "@temporalio/common";
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from "@temporalio/workflow";
import type { RoundName, RoundStanding } from "./round-standing.ts";
import { webhookAttempts, webhookLastStatus } from "./search-attributes.ts";
import type { WebhookRetryActivities } from "./webhook-retry-activities.ts";
import {
  attemptSummary,
  currentDetails,
  endedSentence,
  exhaustedSentence,
  lastStatusOf,
  waitSummary,
} from "./webhook-retry-words.ts";

export interface WebhookRetryInput extends RoundName {
  /** When the delivery was handed over. */
  readonly standing: RoundStanding;
  /** How long one attempt may take, its recording included. */
  readonly attemptTimeoutMs: number;
}

/** Makes the next attempt at once; returns its number. */
export const deliverNow = defineUpdate<string>("deliverNow");

/** Our own faults are retried without limit, and do not count as attempts. */
const OWN_FAULTS = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" } as const;

/**
 * Retries a delivery whose first attempt failed (spec §6 rule 1, R-E6): waits and attempts until the store says that
 * the round has ended. The store decides whether, when and how often to attempt, so that a reset, a second start or a
 * lost worker cannot cause an additional attempt (R-E8). Completed when delivered or skipped; Failed when exhausted;
 * Cancelled when the delivery is (R-X72).
 */
export async function webhookRetry(input: WebhookRetryInput): Promise<string> {
  const { deliveryId, round, attemptTimeoutMs } = input;
  const { attemptDelivery, cancelDelivery, requestCancellation } = proxyActivities<WebhookRetryActivities>({
    startToCloseTimeout: attemptTimeoutMs,
    heartbeatTimeout: "5s",
    retry: OWN_FAULTS,
  });
  let standing = input.standing;
  let isPushed = false;
  let isAttempting = false;
  setHandler(
    deliverNow,
    () => {
      if (isAttempting) return "An attempt is under way.";
      isPushed = true;
      return `Attempt ${standing.attempts + 1} of ${standing.attemptsMax} is made now.`;
    },
    { description: "Makes the next attempt at once. It counts as one of the attempts." },
  );

  const cancel = async (): Promise<RoundStanding> => {
    for (;;) {
      const answer = await cancelDelivery.executeWithOptions(
        { startToCloseTimeout: "10s", retry: OWN_FAULTS, summary: "cancel the delivery" },
        [{ deliveryId, round }],
      );
      if (answer.kind !== "underWay") return answer;
      await sleep(answer.waitMs, { summary: waitSummary(answer) });
    }
  };

  /** Always throws. A run ends as Cancelled only after a request to cancel it, so this function makes that request. */
  const endAsCancelled = async (reason: string): Promise<never> => {
    const run = CancellationScope.current();
    if (!run.consideredCancelled) {
      await CancellationScope.nonCancellable(() =>
        requestCancellation.executeWithOptions(
          { startToCloseTimeout: "10s", retry: OWN_FAULTS, summary: "end this run as Cancelled, like the delivery" },
          [{ reason }],
        ),
      );
    }
    return run.cancelRequested;
  };

  try {
    while (standing.kind === "waiting" || standing.kind === "underWay") {
      setCurrentDetails(currentDetails(input, standing, new Date(Date.now() + standing.waitMs)));
      if (standing.waitMs > 0) {
        await condition(() => isPushed, standing.waitMs, { summary: waitSummary(standing) });
      }
      const now = isPushed;
      const summary = attemptSummary(input, standing);
      isPushed = false;
      isAttempting = true;
      // A POST that has been sent cannot be recalled: a cancellation waits for its answer.
      standing = await CancellationScope.nonCancellable(() =>
        attemptDelivery.executeWithOptions(
          { startToCloseTimeout: attemptTimeoutMs, heartbeatTimeout: "5s", retry: OWN_FAULTS, summary },
          [{ deliveryId, round, now }],
        ),
      );
      isAttempting = false;
      if (standing.kind !== "delivered") {
        upsertSearchAttributes([
          { key: webhookAttempts, value: standing.attempts },
          { key: webhookLastStatus, value: lastStatusOf(standing) },
        ]);
      }
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    standing = await CancellationScope.nonCancellable(cancel);
  }
  if (standing.kind === "exhausted") throw exhausted(input, standing);
  const sentence = endedSentence(standing);
  setCurrentDetails(sentence);
  return standing.kind === "cancelled" ? endAsCancelled(sentence) : sentence;
}

function exhausted(name: RoundName, standing: RoundStanding): ApplicationFailure {
  const message = exhaustedSentence(name, standing);
  setCurrentDetails(message);
  const failure = ApplicationFailure.create({
    message,
    type: "DeliveryExhausted",
    nonRetryable: true,
    // The endpoint's fault, not the worker's: it must not raise the worker's alarms.
    category: ApplicationFailureCategory.BENIGN,
  });
  // A stack would put the machine's paths into the history (R-E15).
  failure.stack = "";
  return failure;
}
