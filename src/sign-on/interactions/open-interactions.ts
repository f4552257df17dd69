import type { Clock } from "#runtime/basis/clock.ts";
import { Counter, Gauge, type Metrics } from "#runtime/process/metrics.ts";
import { type RoomLimits, type Waiting, waitingRoom } from "../throttling/waiting-room.ts";

/**
 * The unproven interactions that this process has made, the oldest first. Kept in memory, so that a bound costs no
 * query (decision 0036). Interactions whose page a browser has opened are counted separately: a flood of requests
 * displaces none of them.
 */
export interface OpenInteractions {
  /**
   * Notes a new one while `store` stores it and gives up those that it displaces: the oldest of its network or, when there
   * are too many in all, that of the wide network with the most. When `store` fails, they wait again, and the new one is removed.
   * @throws what `store` throws.
   */
  add(waiting: Waiting, now: Date, store: Store): Promise<void>;
  /**
   * The browser with its secret opened its page: `giveUp` gives up those that it displaces among such, and is not called
   * for none. When it fails, they wait again, and the one that was opened counts as opened.
   * @throws what `giveUp` throws.
   */
  seen(id: string, giveUp: Store): Promise<void>;
  /** Removes one that has ended, or whose person has entered the password. */
  release(id: string): void;
}

/** Writes what gives way, and what it gives way to, into the store. */
type Store = (displaced: readonly Waiting[]) => Promise<void>;

export function openInteractions(limits: RoomLimits, metrics: Metrics, clock: Clock): OpenInteractions {
  const givenUp = new Counter({
    name: "gatehouse_interactions_given_up_total",
    help: "Unproven sign-ins that were given up because their network or all networks together had too many.",
    labelNames: ["because"],
    registers: [metrics],
  });
  for (const because of ["network", "total"]) givenUp.inc({ because }, 0);
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
    async add(waiting, now, store) {
      forget(now);
      await unseen.enter(waiting, store);
    },
    async seen(id, giveUp) {
      const found = unseen.release(id);
      if (found === undefined) return;
      const write: Store = async (displaced) => {
        if (displaced.length > 0) await giveUp(displaced);
      };
      await seen.enter(found, write, { isStored: true });
    },
    release(id) {
      if (unseen.release(id) === undefined) seen.release(id);
    },
  };
}
