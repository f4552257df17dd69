import type { Clock } from "../../src/runtime/basis/clock.ts";

/** A clock that stays at its time until a test moves it. */
export interface StandingClock extends Clock {
  /** Moves on by so many milliseconds; negative ones go back. */
  step(ms: number): void;
  set(at: Date): void;
}

export function standingClock(start: Date = new Date("2026-06-30T08:15:27.412Z")): StandingClock {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    step(ms) {
      at += ms;
    },
    set(to) {
      at = to.getTime();
    },
  };
}
