/**
 * Where one round of a delivery stands, as the store says. It is the truth; a workflow only waits and asks. Ids, words and numbers, nothing
 * else (R-E15).
 */
export interface RoundStanding {
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
