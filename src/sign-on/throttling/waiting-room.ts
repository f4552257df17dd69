import { groups } from "./groups.ts";
import type { SenderNetwork } from "./network.ts";

/** How many may wait. */
export interface RoomLimits {
  /** Of one narrow network. */
  readonly perNetwork: number;
  readonly inAll: number;
}

/** Something stored that waits for a person, made for anybody who asked. */
export interface Waiting {
  readonly id: string;
  readonly network: SenderNetwork;
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
   * in all, the oldest of the wide network with the most (R-X436). When `write` fails, those wait again, as the newest, and
   * the new one is removed unless it `isStored` already.
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
  const narrow = groups();
  const wide = groups();
  const add = (waiting: Waiting): void => {
    all.set(waiting.id, waiting);
    narrow.add(waiting.network.narrow, waiting.id);
    wide.add(waiting.network.wide, waiting.id);
  };
  const release = (id: string): Waiting | undefined => {
    const found = all.get(id);
    if (found === undefined) return undefined;
    all.delete(id);
    narrow.remove(found.network.narrow, id);
    wide.remove(found.network.wide, id);
    return found;
  };
  /** The next that is too many, and the bound that it is over; one of `newest`'s own network first. */
  const nextBeyond = ({ network }: Waiting): readonly [id: string | undefined, because: "network" | "total"] => {
    const own = narrow.of(network.narrow);
    if (own.size > perNetwork) return [first(own), "network"];
    return [all.size > inAll ? first(wide.largest()) : undefined, "total"];
  };
  /** Gives up what is too many beside the newest. */
  const displacedBy = (newest: Waiting): readonly Waiting[] => {
    const gone: Waiting[] = [];
    for (;;) {
      const [id, because] = nextBeyond(newest);
      const found = id === undefined ? undefined : release(id);
      if (found === undefined) return gone;
      gaveWay(because);
      gone.push(found);
    }
  };
  return {
    get size() {
      return all.size;
    },
    async enter(waiting, write, { isStored } = { isStored: false }) {
      add(waiting);
      const gaveWayToIt = displacedBy(waiting);
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

const first = (ids: ReadonlySet<string>): string | undefined => ids.values().next().value;
