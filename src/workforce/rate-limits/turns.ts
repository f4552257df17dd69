import type { ApiKeyId } from "#runtime/basis/ids.ts";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type Allowance, allowance } from "./rate-limiter.ts";
import { type Bucket, oneAfterMs } from "./token-bucket.ts";

/** A caller that ignores `Retry-After` would else make those who share its key wait ever longer. */
const LONGEST_WAIT_MS = 10_000;

/** The turns of refused requests, so that no more of them come back in one second than may pass then (R-X419). */
interface Turns {
  /** Refuses a request of a key at `now` (Unix milliseconds), and gives it the turn behind those that were refused before it. */
  refuse(key: ApiKeyId, bucket: Bucket, limit: RateLimit, now: number): Allowance;
}

/** Each process gives its own turns, for at most `keysMax` keys. */
export function turnsOf(keysMax: number): Turns {
  /** When the last turn of each key is, in Unix milliseconds. */
  const lastTurns = recentlyUsed<ApiKeyId, number>(keysMax);
  return {
    refuse(key, bucket, limit, now) {
      // Those with the same whole seconds may come at once, when a bucket has no more than its burst for them.
      const betweenMs = 1_000 / Math.min(limit.perSecond, limit.burst);
      const next = Math.max(now + oneAfterMs(bucket, limit), (lastTurns.get(key) ?? 0) + betweenMs);
      const turn = Math.min(next, now + LONGEST_WAIT_MS);
      lastTurns.set(key, turn);
      return { ...allowance(false, bucket, limit), retryAfterSeconds: Math.max(1, Math.ceil((turn - now) / 1_000)) };
    },
  };
}
