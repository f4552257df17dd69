import type { RoundStanding } from "./round-standing.ts";

export interface AttemptInput {
  readonly deliveryId: string;
  readonly round: number;
  /** True: attempt now, although the attempt is not due. */
  readonly now: boolean;
}

/**
 * Activities of `webhookRetry`, which the worker provides. They throw for our own faults only, and are retried until
 * they succeed.
 */
export interface WebhookRetryActivities {
  /**
   * Makes the next attempt when it is due, and returns the round's state after it. A refused POST is a result, not a
   * failure.
   */
  attemptDelivery(input: AttemptInput): Promise<RoundStanding>;
  /** Cancels the waiting delivery, and returns the round's state. */
  cancelDelivery(input: Pick<AttemptInput, "deliveryId" | "round">): Promise<RoundStanding>;
  /** Asks the server to cancel the calling run; the reason, a sentence, is recorded in the history. */
  requestCancellation(input: { readonly reason: string }): Promise<void>;
}
