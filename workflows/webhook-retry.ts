import { ApplicationFailureCategory } from "@temporalio/common";
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineUpdate,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import { webhookAttempts, webhookLastStatus } from "./search-attributes.ts";
import type { AttemptInput, RoundName, RoundProgress, WebhookRetryActivities } from "./webhook-retry-activities.ts";
import {
  attemptSummary,
  currentDetails,
  endedSentence,
  exhaustedSentence,
  lastStatusOf,
  waitSummary,
} from "./webhook-retry-words.ts";

export interface WebhookRetryInput extends RoundName {
  /**
   * The progress when the delivery was handed over. Under this name it is in the histories of workflows that run: it
   * stays.
   */
  readonly standing: RoundProgress;
  /** How long one attempt may take, its recording included. */
  readonly attemptTimeoutMs: number;
}

/** Makes the next attempt at once; answers which one that is. */
export const deliverNow = defineUpdate<string>("deliverNow");

/** Our own faults are retried for as long as it takes, and cost no attempt. */
const OWN_FAULTS = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" } as const;

/** So late a workflow may be without a change of its wait: until it runs takes a moment, and another one waits in a queue. */
const LATE_MS = 10_000;

/** A cancellation is not left to the attempt's end; so it is in histories of earlier programs. */
const CANCELS_WHILE_ASKED = "cancels-while-asked";

/** An attempt that another worker has under way is waited for, also when an operator asks for the next one. */
const WAITS_FOR_ANOTHER = "waits-for-another";

/**
 * What is left of the promise to deliver after a first attempt that failed (spec §6 rule 1, R-E6): waits and attempts
 * until the store says that the round has ended. The store decides when, how often and whether at all, so that a reset,
 * a second start or a lost worker cannot make an attempt more (R-E8). Completed when delivered or skipped; Failed when
 * exhausted; Cancelled when the delivery is (R-X72).
 */
export async function webhookRetry(input: WebhookRetryInput): Promise<string> {
  const { deliveryId, round, attemptTimeoutMs } = input;
  const { attemptDelivery, cancelDelivery, requestCancellation } = proxyActivities<WebhookRetryActivities>({
    startToCloseTimeout: attemptTimeoutMs,
    heartbeatTimeout: "5s",
    retry: OWN_FAULTS,
  });
  const run = CancellationScope.current();
  let progress: RoundProgress = { answeredAtMs: workflowInfo().startTime.getTime(), ...input.standing };
  /** How many attempts were made when the next one was asked for; a reset brings what was asked for before it again. */
  let pushedAfter: number | undefined;
  let isAttempting = false;
  setHandler(
    deliverNow,
    () => {
      const isWithAnother = progress.kind === "underWay" && patched(WAITS_FOR_ANOTHER);
      if (isAttempting || isWithAnother) return "An attempt is under way, or waits for a free place.";
      pushedAfter = progress.attempts;
      return `Attempt ${progress.attempts + 1} of ${progress.attemptsMax} is made now.`;
    },
    { description: "Makes the next attempt at once. It counts as one of the attempts." },
  );

  const cancel = async (): Promise<RoundProgress> => {
    for (;;) {
      const answer = await cancelDelivery.executeWithOptions(
        { startToCloseTimeout: "10s", retry: OWN_FAULTS, summary: "cancel the delivery" },
        [{ deliveryId, round }],
      );
      if (answer.kind !== "underWay") return answer;
      await sleep(answer.waitMs, { summary: waitSummary(answer) });
    }
  };

  /** Always throws: a run ends as Cancelled only after a request to it, so a missing request is made here. */
  const endAsCancelled = async (reason: string): Promise<never> => {
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

  /**
   * Asks for one attempt; returns the progress after it. What has left cannot be called back, so a cancellation waits for the
   * answer; while the delivery waits for a free place or for its next try, it ends the round at once (R-X75).
   */
  const attempt = (asked: Pick<AttemptInput, "now" | "askedAfter">, summary: string): Promise<RoundProgress> =>
    CancellationScope.nonCancellable(() => {
      const answered = attemptDelivery.executeWithOptions(
        { startToCloseTimeout: attemptTimeoutMs, heartbeatTimeout: "5s", retry: OWN_FAULTS, summary },
        [{ deliveryId, round, ...asked }],
      );
      const cancelled = run.cancelRequested.catch(() => (patched(CANCELS_WHILE_ASKED) ? cancel() : answered));
      return Promise.race([answered, cancelled]);
    });

  try {
    while (progress.kind === "waiting" || progress.kind === "underWay") {
      const waitMs = leftOf(progress);
      setCurrentDetails(currentDetails(input, progress, new Date(Date.now() + waitMs)));
      if (waitMs > 0) {
        const summary = waitSummary({ ...progress, waitMs });
        await condition(() => pushedAfter !== undefined, waitMs, { summary });
      }
      const asked = pushedAfter === undefined ? { now: false } : { now: true, askedAfter: pushedAfter };
      const summary = attemptSummary(input, progress);
      pushedAfter = undefined;
      isAttempting = true;
      progress = await attempt(asked, summary);
      isAttempting = false;
      if (progress.kind !== "delivered") {
        upsertSearchAttributes([
          { key: webhookAttempts, value: progress.attempts },
          { key: webhookLastStatus, value: lastStatusOf(progress) },
        ]);
      }
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    progress = await CancellationScope.nonCancellable(cancel);
  }
  if (progress.kind === "exhausted") throw exhausted(input, progress);
  const sentence = endedSentence(progress);
  setCurrentDetails(sentence);
  return progress.kind === "cancelled" ? endAsCancelled(sentence) : sentence;
}

/**
 * What is left of a wait (R-X397). The answer that began it may have found no worker for longer than it takes; asked too
 * early, the store answers with what is left. A wait stays a timer, however short: so it is in histories.
 */
function leftOf({ waitMs, answeredAtMs }: RoundProgress): number {
  const lateMs = Date.now() - (answeredAtMs ?? Date.now());
  return waitMs > 0 && lateMs > LATE_MS ? Math.max(1, waitMs - lateMs) : waitMs;
}

function exhausted(name: RoundName, progress: RoundProgress): ApplicationFailure {
  const message = exhaustedSentence(name, progress);
  setCurrentDetails(message);
  return ApplicationFailure.create({
    message,
    type: "DeliveryExhausted",
    nonRetryable: true,
    // The endpoint's fault, not the worker's: it must not raise the worker's alarms.
    category: ApplicationFailureCategory.BENIGN,
  });
}
