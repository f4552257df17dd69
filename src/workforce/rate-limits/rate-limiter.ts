import type { ApiKeyId } from "#runtime/basis/ids.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type Bucket, fullAfterMs, oneAfterMs, remainingIn } from "./token-bucket.ts";

/** What a key may do next, and whether the request that asked may pass. */
export interface Allowance {
  readonly granted: boolean;
  /** Requests that may still come at once. */
  readonly remaining: number;
  /** Seconds, rounded up, until as many may come at once as ever. */
  readonly fullAfterSeconds: number;
  /** Seconds, rounded up and at least 1, until it makes sense to try again. */
  readonly retryAfterSeconds: number;
}

/** Takes requests from the budget of a key; all processes that share a store share the budget (R-G12). */
export interface RateLimiter {
  /** For one request that is about to be answered. `limit` is one that limits. */
  take(key: ApiKeyId, limit: RateLimit): Allowance | Promise<Allowance>;
}

/**
 * Keys that a process remembers, those that were used last. One that is forgotten counts as one that was never used, which errs in
 * its favour.
 */
export const KEYS_MAX = 10_000;

/** `unused` are requests that are drawn from the bucket and not used yet. */
export const allowance = (granted: boolean, bucket: Bucket, limit: RateLimit, unused = 0): Allowance => ({
  granted,
  remaining: remainingIn(bucket, limit) + unused,
  fullAfterSeconds: seconds(fullAfterMs(bucket, limit)),
  retryAfterSeconds: Math.max(1, seconds(oneAfterMs(bucket, limit))),
});

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
