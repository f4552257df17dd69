/** How a delivery waits for its next attempt, as columns of its row. */
export interface Waiting {
  /** Set: ClaimDue returns it from then on. */
  readonly dueAt: Date | undefined;
}

/**
 * Who wakes a delivery that failed. A port: the embedded engine uses due times of the store; another one takes the delivery out of the
 * queue and claims it itself.
 */
export interface RetryEngine {
  readonly name: string;
  wait(until: Date): Waiting;
}

export const embeddedRetryEngine: RetryEngine = {
  name: "embedded",
  wait: (until) => ({ dueAt: until }),
};
