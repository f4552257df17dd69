import { LRUCache } from "lru-cache";

/** What one entry may be: lru-cache's `undefined` is that there is none. */
type Present = NonNullable<unknown>;

/**
 * The entries that were used last, at most `most` of them; the one that was not used for the longest time gives way. It grows with
 * what is in it: lru-cache's own bound by number takes the memory of a full one, and a millisecond for ten thousand, when it is made.
 */
export const recentlyUsed = <K extends Present, V extends Present>(most: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
