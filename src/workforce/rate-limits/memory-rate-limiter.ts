import type { Clock } from "#runtime/basis/clock.ts";
import type { ApiKeyId } from "#runtime/basis/ids.ts";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import { allowance, type RateLimiter } from "./rate-limiter.ts";
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

/**
 * What is remembered of the keys used last, at most `keysMax` of them. One that is forgotten counts as one that was never used, which
 * errs in its favour.
 */
export const recentKeys = <T extends object>(keysMax: number) => recentlyUsed<ApiKeyId, T>(keysMax);
