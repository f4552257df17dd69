/** The source of time. A parameter everywhere, so that tests can stop or step it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** More than the clocks of two processes differ by. */
export const CLOCKS_APART_MS = 60_000;

/** True when only a clock that was ahead can have written at `at` that something has happened then (R-X373). */
export const liesAhead = (instant: Date, at: Date): boolean => instant.getTime() > at.getTime() + CLOCKS_APART_MS;

/** The earlier of two clocks, for what cannot be undone: something is over when it is by both. */
export const earlierOf = (one: Clock, other: Clock): Clock => ({
  now: () => new Date(Math.min(one.now().getTime(), other.now().getTime())),
});
