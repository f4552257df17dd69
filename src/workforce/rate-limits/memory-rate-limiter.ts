import type { Clock } from "#runtime/basis/clock.ts";
import { allowance, type RateLimiter } from "./rate-limiter.ts";
import { recentKeys } from "./recent-keys.ts";
import { type Bucket, draw, FULL_BUCKET, refilled } from "./token-bucket.ts";

const KEYS_MAX = 10_000;

/** For an embedded store, which one process opens (R-D3): the buckets lie in memory, and are full after a restart. Exact. */
export function memoryRateLimiter(clock: Clock, keysMax = KEYS_MAX): RateLimiter {
  const buckets = recentKeys<Bucket>(keysMax);
  return {
    take(key, limit) {
      const present = refilled(buckets.get(key) ?? FULL_BUCKET, limit, clock.now().getTime());
      const { bucket, granted } = draw(present, limit, 1);
      buckets.set(key, bucket);
      return allowance(granted === 1, bucket, limit);
    },
  };
}
