/** Where the time comes from. A parameter everywhere, so that tests can stand still or step. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
