import { randomBytes } from "node:crypto";

/** The source of unguessable bytes. A parameter, so that tests can repeat a run. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Buffer;
}

/**
 * A call to the system costs the same for few bytes as for many, so bytes are drawn ahead; each is used once and then
 * erased.
 */
const DRAWN_AHEAD = 4_096;

function drawingAhead(): Random {
  let pool = Buffer.alloc(0);
  let used = 0;
  return {
    bytes(length) {
      if (length > DRAWN_AHEAD / 4) return randomBytes(length);
      if (used + length > pool.length) {
        pool = randomBytes(DRAWN_AHEAD);
        used = 0;
      }
      const drawn = Buffer.from(pool.subarray(used, used + length));
      pool.fill(0, used, used + length);
      used += length;
      return drawn;
    },
  };
}

export const systemRandom: Random = drawingAhead();

/** A secret of 256 bits as 43 characters of base64url, for cookies, codes and tokens. */
export function newSecret(random: Random): string {
  return random.bytes(32).toString("base64url");
}
