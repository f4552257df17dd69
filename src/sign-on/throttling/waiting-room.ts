/** How many may wait. */
export interface RoomLimits {
  /** Of one network: an IPv4 address, or an IPv6 prefix of 64 bits. */
  readonly perNetwork: number;
  readonly inAll: number;
}

/** Something stored that waits for a person, made for anybody who asked. */
export interface Waiting {
  readonly id: string;
  /** The sender's; empty when unknown. */
  readonly network: string;
  readonly expiresAt: Date;
}

/**
 * What this process has stored that waits, the oldest first, so that a stranger cannot fill the disk with it. Kept in
 * memory, so that a bound costs no query (decision 0036).
 */
export interface WaitingRoom {
  readonly size: number;
  /**
   * Notes one at once, and calls `write` with what gives way to it: the oldest of its network or, when there are too many
   * in all, the oldest of all. When `write` fails, those wait again, as the newest, and the new one is removed unless it
   * `isStored` already.
   * @throws what `write` throws.
   */
  enter(
    waiting: Waiting,
    write: (gaveWay: readonly Waiting[]) => Promise<void>,
    options?: { readonly isStored: boolean },
  ): Promise<void>;
  /** Removes one that waits no more. */
  release(id: string): Waiting | undefined;
  /** Forgets expired ones. */
  forget(now: Date): void;
}

/** @param gaveWay called for each that gives way, with the bound that it was over. */
export function waitingRoom(
  { perNetwork, inAll }: RoomLimits,
  gaveWay: (because: "network" | "total") => void = () => undefined,
): WaitingRoom {
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
  /** Adds one; returns the ids of its network. */
  const add = (waiting: Waiting): ReadonlySet<string> => {
    all.set(waiting.id, waiting);
    const own = byNetwork.get(waiting.network) ?? new Set();
    byNetwork.set(waiting.network, own.add(waiting.id));
    return own;
  };
  /** Gives up the oldest of these ids, which are ordered by age, until there are no more than so many. */
  const displaced = (
    ids: { readonly size: number; keys(): Iterable<string> },
    most: number,
    because: "network" | "total",
  ): readonly Waiting[] => {
    const gone: Waiting[] = [];
    while (ids.size > most) {
      const [oldest = ""] = ids.keys();
      const found = release(oldest);
      if (found === undefined) break;
      gaveWay(because);
      gone.push(found);
    }
    return gone;
  };
  return {
    get size() {
      return all.size;
    },
    async enter(waiting, write, { isStored } = { isStored: false }) {
      const own = add(waiting);
      const gaveWayToIt = [...displaced(own, perNetwork, "network"), ...displaced(all, inAll, "total")];
      try {
        await write(gaveWayToIt);
      } catch (error) {
        if (!isStored) release(waiting.id);
        for (const one of gaveWayToIt) add(one);
        throw error;
      }
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
