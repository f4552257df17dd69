/** The source of time. A parameter everywhere, so that tests can stop or step it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
