import type { RoundStanding } from "./round-standing.ts";

export interface AttemptInput {
  readonly deliveryId: string;
  readonly round: number;
  /** Now, though it is not due. */
  readonly now: boolean;
}

/** What `webhookRetry` asks of the worker. All throw for our own faults only, and are tried again until they succeed. */
export interface WebhookRetryActivities {
  /** Makes the next attempt when it is due, and tells where the round stands then. A refused POST is a result, not a failure. */
  attemptDelivery(input: AttemptInput): Promise<RoundStanding>;
  /** Cancels what waits, and tells where the round stands. */
  cancelDelivery(input: Pick<AttemptInput, "deliveryId" | "round">): Promise<RoundStanding>;
  /** Asks the server to cancel the run that calls it; the reason, a sentence, stands in the history. */
  requestCancellation(input: { readonly reason: string }): Promise<void>;
}
