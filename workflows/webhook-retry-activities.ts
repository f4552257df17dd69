import type { RoundProgress } from "./round-progress.ts";

export interface AttemptInput {
  readonly deliveryId: string;
  readonly round: number;
  /** Now, though it is not due. */
  readonly now: boolean;
}

/** What `webhookRetry` asks of the worker. All throw for our own faults only, and are retried until they succeed. */
export interface WebhookRetryActivities {
  /** Makes the next attempt when it is due; returns the round's progress after it. A refused POST is a result, not a failure. */
  attemptDelivery(input: AttemptInput): Promise<RoundProgress>;
  /** Cancels what waits; returns the round's progress. */
  cancelDelivery(input: Pick<AttemptInput, "deliveryId" | "round">): Promise<RoundProgress>;
  /** Asks the server to cancel the run that calls it; the reason, a sentence, is in the history. */
  requestCancellation(input: { readonly reason: string }): Promise<void>;
}
