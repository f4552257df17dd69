import { unavailable } from "#runtime/basis/errors.ts";
import type { Chunks } from "#runtime/http/operation.ts";

/** Lists that may be under way at once. Each holds a batch or two in memory for as long as its client takes (R-X61). */
const UNDER_WAY_MAX = 64;

/** The lists of one edge that are sent while they are read. */
export interface LongLists {
  /**
   * Passes the chunks on, counted as a list of the key until they are all taken or given up. A key gets a place while it has
   * fewer than are free, so that one alone leaves half of them to others.
   * @throws UNAVAILABLE when it gets none.
   */
  begin(key: string, chunks: Chunks): Chunks;
}

export function longLists(underWayMax = UNDER_WAY_MAX): LongLists {
  /** How many each key has; one without any is removed. */
  const underWay = new Map<string, number>();
  let free = underWayMax;
  const change = (key: string, by: 1 | -1): void => {
    const own = (underWay.get(key) ?? 0) + by;
    if (own === 0) underWay.delete(key);
    else underWay.set(key, own);
    free -= by;
  };
  return {
    begin(key, chunks) {
      if ((underWay.get(key) ?? 0) >= free) {
        chunks.discard();
        throw unavailable("Too many long lists are being sent at the moment.");
      }
      change(key, 1);
      let isUnderWay = true;
      const end = () => {
        if (isUnderWay) change(key, -1);
        isUnderWay = false;
      };
      return {
        async *[Symbol.asyncIterator]() {
          try {
            yield* chunks;
          } finally {
            end();
          }
        },
        discard() {
          end();
          chunks.discard();
        },
      };
    },
  };
}
