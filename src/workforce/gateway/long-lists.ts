import { unavailable } from "#runtime/basis/errors.ts";
import type { Chunks } from "#runtime/http/operation.ts";

/** Lists that may be under way at once. Each holds a batch or two in memory for as long as its client takes (R-X61). */
const UNDER_WAY_MAX = 64;

/** The lists of one edge that are sent while they are read. */
export interface LongLists {
  /** Passes the chunks on, counted as a list until they are all taken or given up. @throws UNAVAILABLE when as many are under way as may be. */
  begin(chunks: Chunks): Chunks;
}

export function longLists(underWayMax = UNDER_WAY_MAX): LongLists {
  let underWay = 0;
  return {
    begin(chunks) {
      if (underWay >= underWayMax) {
        chunks.discard();
        throw unavailable("Too many long lists are being sent at the moment.");
      }
      underWay++;
      let isUnderWay = true;
      const end = () => {
        if (isUnderWay) underWay--;
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
