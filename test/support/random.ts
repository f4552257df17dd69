import { createHash } from "node:crypto";
import type { Random } from "../../src/runtime/basis/random.ts";

/** The same bytes in every run with the same seed: SHA-256 over seed and a counter. */
export function seededRandom(seed = "gatehouse"): Random {
  let counter = 0;
  let left = Buffer.alloc(0);
  return {
    bytes(length) {
      while (left.length < length) {
        left = Buffer.concat([left, createHash("sha256").update(`${seed} ${counter++}`).digest()]);
      }
      const bytes = Buffer.from(left.subarray(0, length));
      left = left.subarray(length);
      return bytes;
    },
  };
}
