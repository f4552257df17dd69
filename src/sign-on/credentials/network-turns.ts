import type { SenderNetwork } from "../throttling/network.ts";

/** What waits, in an order that is fair to networks: wide networks take turns, and in each of them its networks. */
interface NetworkTurns<T> {
  readonly length: number;
  add(network: SenderNetwork, item: T): void;
  /** Takes out the one whose turn it is: the oldest of its network. `undefined` when nothing waits. */
  next(): T | undefined;
  /**
   * Takes out the newest of the network with the most waiting, in the wide network with the most, where that is fairer
   * than to refuse this one; otherwise `undefined`.
   */
  displace(network: SenderNetwork): T | undefined;
}

/** What waits of one wide network, by network. */
type Networks<T> = Map<string, T[]>;

export function networkTurns<T>(): NetworkTurns<T> {
  /** Both levels are in the order of turns; an entry without anything waiting is removed. */
  const wideNetworks = new Map<string, Networks<T>>();
  let length = 0;

  const take = ({ wide, narrow }: SenderNetwork, itemOf: (waiting: T[]) => T | undefined): T | undefined => {
    const networks = wideNetworks.get(wide) ?? new Map<string, T[]>();
    const waiting = networks.get(narrow) ?? [];
    const item = itemOf(waiting);
    length--;
    if (waiting.length === 0) networks.delete(narrow);
    if (networks.size === 0) wideNetworks.delete(wide);
    return item;
  };

  return {
    get length() {
      return length;
    },
    add({ wide, narrow }, item) {
      const networks = wideNetworks.get(wide) ?? new Map<string, T[]>();
      const waiting = networks.get(narrow) ?? [];
      wideNetworks.set(wide, networks.set(narrow, waiting));
      waiting.push(item);
      length++;
    },
    next() {
      const [[wide, networks] = []] = wideNetworks;
      const [[narrow] = []] = networks ?? [];
      if (wide === undefined || networks === undefined || narrow === undefined) return undefined;
      const item = take({ wide, narrow }, (waiting) => waiting.shift());
      toEnd(networks, narrow);
      toEnd(wideNetworks, wide);
      return item;
    },
    displace({ wide, narrow }) {
      const own = wideNetworks.get(wide) ?? new Map<string, T[]>();
      // With one more, this one would have as many waiting as the other has then: no gain in fairness.
      const most = withMost(wideNetworks, waitingIn, waitingIn(own) + 1) ?? { name: wide, value: own };
      const above = most.value === own ? (own.get(narrow)?.length ?? 0) + 1 : 0;
      const longest = withMost(most.value, (waiting) => waiting.length, above);
      if (longest === undefined) return undefined;
      return take({ wide: most.name, narrow: longest.name }, (waiting) => waiting.pop());
    },
  };
}

const waitingIn = (networks: ReadonlyMap<string, readonly unknown[]>): number => [...networks.values()].flat().length;

/** The entry with the most, the last of several, if it has more than `above`. */
function withMost<V>(
  entries: ReadonlyMap<string, V>,
  sizeOf: (value: V) => number,
  above: number,
): { readonly name: string; readonly value: V } | undefined {
  let most: { readonly name: string; readonly value: V } | undefined;
  let size = above;
  for (const [name, value] of entries) {
    const found = sizeOf(value);
    if (found <= above || found < size) continue;
    most = { name, value };
    size = found;
  }
  return most;
}

/** An entry that had its turn comes last. */
function toEnd<V>(entries: Map<string, V>, name: string): void {
  const value = entries.get(name);
  if (value === undefined) return;
  entries.delete(name);
  entries.set(name, value);
}
