import { Counter, Gauge, type Metrics } from "#runtime/basis/metrics.ts";

/** Bounds of what waits for people who have not proven anything yet (R-X154). */
export interface OpenLimits {
  /** Of one network: an IPv4 address, or an IPv6 prefix of 64 bits. */
  readonly perNetwork: number;
  readonly inAll: number;
}

/** An interaction that waits, as it was stored. */
export interface Waiting {
  readonly id: string;
  readonly network: string;
  readonly expiresAt: Date;
}

/**
 * The unproven interactions that this process has made, the oldest first. Kept in memory, so that a bound costs no query (decision 0036). Those
 * whose page a browser has seen are counted apart: a flood of requests displaces none of them.
 */
export interface OpenInteractions {
  /** Notes a new one; returns those that it displaces: the oldest of its network or, when there are too many in all, the oldest of all. */
  add(waiting: Waiting, now: Date): readonly Waiting[];
  /** The browser that has its secret came for its page; returns those that it displaces among such. */
  seen(id: string): readonly Waiting[];
  /** It has ended, or its person has proven something. */
  release(id: string): void;
}

export function openInteractions({ perNetwork, inAll }: OpenLimits, metrics: Metrics): OpenInteractions {
  const unseen = waitingRoom();
  const seen = waitingRoom();
  const givenUp = new Counter({
    name: "gatehouse_interactions_given_up_total",
    help: "Sign-ins under way that were given up before anybody proved anything, because their network or all networks together had too many.",
    labelNames: ["because"],
    registers: [metrics],
  });
  new Gauge({
    name: "gatehouse_interactions_unproven",
    help: "Sign-ins under way that this process made and in which nobody has proven anything yet.",
    registers: [metrics],
    collect() {
      this.set(unseen.all.size + seen.all.size);
    },
  });

  /** Gives up the first of some that are ordered by age. */
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

/** Those that wait, in the order in which they came, and the same by network. */
interface WaitingRoom {
  readonly all: ReadonlyMap<string, Waiting>;
  /** Returns the ids of its network, the oldest first. */
  enter(waiting: Waiting): ReadonlySet<string>;
  release(id: string): Waiting | undefined;
  /** Lets those go that have expired. */
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
