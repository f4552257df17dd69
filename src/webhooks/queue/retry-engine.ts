/** How a delivery waits for its next attempt, as columns of its row. */
export interface Waiting {
  /** Set: ClaimDue returns it from then on. */
  readonly dueAt?: Date | undefined;
  /** Set: an engine outside the store makes the attempt then. */
  readonly retryAt?: Date | undefined;
  /** Set: that engine has to be given the delivery first. */
  readonly handOverAt?: Date | undefined;
}

/** The attempt before the wait. */
export interface EndedBy {
  readonly at: Date;
  /** True when the engine made it: it drives the delivery and learns from the answer what follows. */
  readonly engine: boolean;
}

/**
 * What waits for the next attempt of a delivery that failed. A port: whether, how often and when is decided before
 * (attempt-schedule.ts), so that every engine keeps the same promises (R-E6, R-E8).
 */
export interface RetryEngine {
  readonly name: "embedded" | "temporal";
  wait(until: Date, ended: EndedBy): Waiting;
}

/** Due times of the store: ClaimDue returns the delivery again. */
export const embeddedRetryEngine: RetryEngine = {
  name: "embedded",
  wait: (until) => ({ dueAt: until }),
};

/**
 * The store's half of an engine outside of it: the delivery waits until the worker hands it over. After an attempt that
 * the engine made nothing is handed over, since the engine drives the delivery; after a lost one it is offered again,
 * since the engine may be lost too.
 */
export const outsideRetryEngine: RetryEngine = {
  name: "temporal",
  wait: (until, { at, engine }) => ({ retryAt: until, handOverAt: engine ? undefined : at }),
};
