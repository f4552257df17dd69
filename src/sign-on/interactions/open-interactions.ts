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

/** The unproven interactions that this process has made, the oldest first. Kept in memory, so that a bound costs no query (decision 0036). */
export interface OpenInteractions {
  /** Notes a new one; returns those that it displaces: the oldest of its network or, when there are too many in all, the oldest of all. */
  add(waiting: Waiting, now: Date): readonly Waiting[];
  /** It has ended, or its person has proven something. */
  release(id: string): void;
}

export function openInteractions({ perNetwork, inAll }: OpenLimits, metrics: Metrics): OpenInteractions {
  const all = new Map<string, Waiting>();
  const byNetwork = new Map<string, Set<string>>();
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
      this.set(all.size);
    },
  });

  const release = (id: string): Waiting | undefined => {
    const found = all.get(id);
    if (found === undefined) return undefined;
    all.delete(id);
    const own = byNetwork.get(found.network);
    own?.delete(id);
    if (own?.size === 0) byNetwork.delete(found.network);
    return found;
  };
  /** Gives up the first of some that are ordered by age. */
  const displaced = (ids: Iterable<string>, because: "network" | "total"): readonly Waiting[] => {
    const [oldest = ""] = ids;
    const found = release(oldest);
    if (found === undefined) return [];
    givenUp.inc({ because });
    return [found];
  };

  return {
    add(waiting, now) {
      // All live equally long, so the expired ones are the first.
      for (const [id, { expiresAt }] of all) {
        if (expiresAt > now) break;
        release(id);
      }
      all.set(waiting.id, waiting);
      const own = byNetwork.get(waiting.network) ?? new Set();
      byNetwork.set(waiting.network, own.add(waiting.id));
      if (own.size > perNetwork) return displaced(own, "network");
      return all.size > inAll ? displaced(all.keys(), "total") : [];
    },
    release,
  };
}
