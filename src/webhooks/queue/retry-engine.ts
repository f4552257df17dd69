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
 * Who wakes a delivery that failed. A port: when, how often and whether at all is decided before (attempt-schedule.ts), so that every
 * engine keeps the same promises (R-E6, R-E8).
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
 * The store's half of an engine outside of it: the delivery waits to be handed over, which is the worker's business. One that the engine
 * drives already just waits for it to come back; one whose outcome was lost is offered once more, since the engine may be what was lost.
 */
export const outsideRetryEngine: RetryEngine = {
  name: "temporal",
  wait: (until, { at, engine }) => ({ retryAt: until, handOverAt: engine ? undefined : at }),
};
