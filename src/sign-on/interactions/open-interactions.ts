import type { Clock } from "#runtime/basis/clock.ts";
import { Counter, Gauge, type Metrics } from "#runtime/process/metrics.ts";
import { type RoomLimits, type Waiting, waitingRoom } from "../throttling/waiting-room.ts";

/**
 * The unproven interactions that this process has made, the oldest first. Kept in memory, so that a bound costs no
 * query (decision 0036). Interactions whose page a browser has opened are counted separately: a flood of requests
 * displaces none of them.
 */
export interface OpenInteractions {
  /** Notes a new one; returns those that it displaces: the oldest of its network or, when there are too many in all, the oldest of all. */
  add(waiting: Waiting, now: Date): readonly Waiting[];
  /** After an `add` of one that could not be stored: those that it displaced wait again. */
  takeBack(id: string, displaced: readonly Waiting[]): void;
  /** The browser with its secret opened its page; returns those that it displaces among such. */
  seen(id: string): readonly Waiting[];
  /** Those that `seen` displaced wait again, since the store could not give them up. */
  keepSeen(displaced: readonly Waiting[]): void;
  /** Removes one that has ended, or whose person has entered the password. */
  release(id: string): void;
}

export function openInteractions(limits: RoomLimits, metrics: Metrics, clock: Clock): OpenInteractions {
  const givenUp = new Counter({
    name: "gatehouse_interactions_given_up_total",
    help: "Unproven sign-ins that were given up because their network or all networks together had too many.",
    labelNames: ["because"],
    registers: [metrics],
  });
  const gaveWay = (because: "network" | "total"): void => givenUp.inc({ because });
  const unseen = waitingRoom(limits, gaveWay);
  const seen = waitingRoom(limits, gaveWay);
  const forget = (now: Date): void => {
    unseen.forget(now);
    seen.forget(now);
  };
  new Gauge({
    name: "gatehouse_interactions_unproven",
    help: "Unproven open sign-ins that this process made.",
    registers: [metrics],
    collect() {
      // Those that expired since the last request are not open.
      forget(clock.now());
      this.set(unseen.size + seen.size);
    },
  });

  return {
    add(waiting, now) {
      forget(now);
      return unseen.enter(waiting);
    },
    takeBack: unseen.takeBack,
    seen(id) {
      const found = unseen.release(id);
      return found === undefined ? [] : seen.enter(found);
    },
    keepSeen: (displaced) => seen.takeBack("", displaced),
    release(id) {
      if (unseen.release(id) === undefined) seen.release(id);
    },
  };
}
