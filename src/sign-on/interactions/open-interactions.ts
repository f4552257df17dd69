import { Counter, Gauge, type Metrics } from "#runtime/basis/metrics.ts";

/** Bounds of unproven interactions (R-X154). */
interface OpenLimits {
  /** Of one network: an IPv4 address, or an IPv6 prefix of 64 bits. */
  readonly perNetwork: number;
  readonly inAll: number;
}

/** An interaction that waits, as it was stored. */
interface Waiting {
  readonly id: string;
  readonly network: string;
  readonly expiresAt: Date;
}

/**
 * The unproven interactions that this process has made, the oldest first. Kept in memory, so that a bound costs no
 * query (decision 0036). Interactions whose page a browser has opened are counted separately: a flood of requests
 * displaces none of them.
 */
export interface OpenInteractions {
  /** Notes a new one; returns those that it displaces: the oldest of its network or, when there are too many in all, the oldest of all. */
  add(waiting: Waiting, now: Date): readonly Waiting[];
  /** The browser with its secret opened its page; returns those that it displaces among such. */
  seen(id: string): readonly Waiting[];
  /** Removes one that has ended, or whose person has entered the password. */
  release(id: string): void;
}

export function openInteractions({ perNetwork, inAll }: OpenLimits, metrics: Metrics): OpenInteractions {
  const unseen = waitingRoom();
  const seen = waitingRoom();
  const givenUp = new Counter({
    name: "gatehouse_interactions_given_up_total",
    help: "Unproven sign-ins that were given up because their network or all networks together had too many.",
    labelNames: ["because"],
    registers: [metrics],
  });
  new Gauge({
    name: "gatehouse_interactions_unproven",
    help: "Unproven open sign-ins that this process made.",
    registers: [metrics],
    collect() {
      this.set(unseen.all.size + seen.all.size);
    },
  });

  /** Gives up the oldest of these ids, which are ordered by age. */
  const displaced = (room: WaitingRoom, ids: Iterable<string>, because: "network" | "total"): readonly Waiting[] => {
    const [oldest = ""] = ids;
    const found = room.release(oldest);
    if (found === undefined) return [];
    givenUp.inc({ because });
    return [found];
  };
  const enter = (room: WaitingRoom, waiting: Waiting): readonly Waiting[] => {
    const own = room.enter(waiting);
    if (own.size > perNetwork) return displaced(room, own, "network");
    return room.all.size > inAll ? displaced(room, room.all.keys(), "total") : [];
  };

  return {
    add(waiting, now) {
      unseen.forget(now);
      seen.forget(now);
      return enter(unseen, waiting);
    },
    seen(id) {
      const found = unseen.release(id);
      return found === undefined ? [] : enter(seen, found);
    },
    release(id) {
      if (unseen.release(id) === undefined) seen.release(id);
    },
  };
}

/** Waiting interactions in the order of their arrival, and the same by network. */
interface WaitingRoom {
  readonly all: ReadonlyMap<string, Waiting>;
  /** Returns the ids of its network, the oldest first. */
  enter(waiting: Waiting): ReadonlySet<string>;
  release(id: string): Waiting | undefined;
  /** Forgets expired ones. */
  forget(now: Date): void;
}

function waitingRoom(): WaitingRoom {
  const all = new Map<string, Waiting>();
  const byNetwork = new Map<string, Set<string>>();
  const release = (id: string): Waiting | undefined => {
    const found = all.get(id);
    if (found === undefined) return undefined;
    all.delete(id);
    const own = byNetwork.get(found.network);
    own?.delete(id);
    if (own?.size === 0) byNetwork.delete(found.network);
    return found;
  };
  return {
    all,
    enter(waiting) {
      all.set(waiting.id, waiting);
      const own = byNetwork.get(waiting.network) ?? new Set();
      byNetwork.set(waiting.network, own.add(waiting.id));
      return own;
    },
    release,
    forget(now) {
      // All live equally long, so the expired ones are nearly always the first.
      for (const [id, { expiresAt }] of all) {
        if (expiresAt > now) break;
        release(id);
      }
    },
  };
}
