/**
 * State of one round of a delivery, as the store has it. Only the store decides; a workflow waits and asks. Contains
 * only ids, words and numbers (R-E15).
 */
export interface RoundStanding {
  readonly kind: "waiting" | "underWay" | "delivered" | "exhausted" | "skipped" | "cancelled";
  /** Milliseconds until there is something to do; 0 for a round that has ended. */
  readonly waitMs: number;
  /** Attempts made in this round. */
  readonly attempts: number;
  readonly attemptsMax: number;
  /** Outcome of the latest attempt: `refused`, `timeout`, `lost`, …; empty when there was none. */
  readonly lastOutcome: string;
  readonly lastHttpStatus?: number;
  /** Why it was exhausted, skipped or cancelled; a word. */
  readonly reason?: string;
}

/** The round with the names that operators know it by. */
export interface RoundName {
  readonly deliveryId: string;
  readonly round: number;
  readonly eventType: string;
  /** The subscription's label. */
  readonly subscription: string;
}
