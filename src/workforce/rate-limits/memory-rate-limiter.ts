import type { Clock } from "#runtime/basis/clock.ts";
import type { ApiKeyId } from "#runtime/basis/ids.ts";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import { allowance, KEYS_MAX, type RateLimiter } from "./rate-limiter.ts";
import { type Bucket, draw, FULL_BUCKET, refilled } from "./token-bucket.ts";
import { turnsOf } from "./turns.ts";

/** For an embedded store, which one process opens (R-D3): the buckets lie in memory, and are full after a restart. Exact. */
export function memoryRateLimiter(clock: Clock, keysMax = KEYS_MAX): RateLimiter {
  const buckets = recentlyUsed<ApiKeyId, Bucket>(keysMax);
  const turns = turnsOf(keysMax);
  return {
    take(key, limit) {
      const now = clock.now().getTime();
      const present = refilled(buckets.get(key) ?? FULL_BUCKET, limit, now);
      const { bucket, granted } = draw(present, limit, 1);
      buckets.set(key, bucket);
      return granted === 1 ? allowance(true, bucket, limit) : turns.refuse(key, bucket, limit, now);
    },
  };
}
