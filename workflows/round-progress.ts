/**
 * How far one round of a delivery has come, as the store answers. The store decides; a workflow only waits and asks. Words and numbers,
 * nothing else (R-E15): all of it is in the history.
 */
export interface RoundProgress {
  readonly kind: "waiting" | "underWay" | "delivered" | "exhausted" | "skipped" | "cancelled";
  /** Milliseconds until there is something to do; 0 for a round that has ended. */
  readonly waitMs: number;
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
