/**
 * How far one round of a delivery has come, as the store answers. The store decides; a workflow only waits and asks.
 * Words and numbers, nothing else (R-E15): all of it is in the history.
 */
export interface RoundProgress {
  readonly kind: "waiting" | "underWay" | "delivered" | "exhausted" | "skipped" | "cancelled";
  /** Milliseconds until there is something to do; 0 for a round that has ended. */
  readonly waitMs: number;
  /** When the store answered so, by the clock of Temporal's server; absent in what earlier programs wrote. */
  readonly answeredAtMs?: number;
  /** Made in this round. */
  readonly attempts: number;
  readonly attemptsMax: number;
  /** How the latest one ended: `refused`, `timeout`, `lost`, …; empty when there was none. */
  readonly lastOutcome: string;
  readonly lastHttpStatus?: number;
  /** Why it was exhausted, skipped or cancelled; a word. */
  readonly reason?: string;
}

/** The round, and what operators know it by. */
export interface RoundName {
  readonly deliveryId: string;
  readonly round: number;
  readonly eventType: string;
  /** The subscription's label. */
  readonly subscription: string;
}

export interface AttemptInput {
  readonly deliveryId: string;
  readonly round: number;
  /** Now, though it is not due. */
  readonly now: boolean;
  /** With `now`: how many attempts were made when it was asked for. Absent in histories of earlier programs. */
  readonly askedAfter?: number;
}

/** What `webhookRetry` asks of the worker. All throw for our own faults only, and are retried until they succeed. */
export interface WebhookRetryActivities {
  /**
   * Makes the next attempt when it is due; returns the round's progress after it. A refused POST is a result, not a
   * failure.
   */
  attemptDelivery(input: AttemptInput): Promise<RoundProgress>;
  /** Cancels what waits; returns the round's progress. */
  cancelDelivery(input: Pick<AttemptInput, "deliveryId" | "round">): Promise<RoundProgress>;
  /** Asks the server to cancel the run that calls it; the reason, a sentence, is in the history. */
  requestCancellation(input: { readonly reason: string }): Promise<void>;
}
