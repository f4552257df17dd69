import type { Clock } from "#runtime/basis/clock.ts";
import { isUnavailable } from "#runtime/basis/errors.ts";
import type { ApiKeyId } from "#runtime/basis/ids.ts";
import { inTime, LATE } from "#runtime/basis/in-time.ts";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import { memoryRateLimiter } from "./memory-rate-limiter.ts";
import type { RateBucketRepository } from "./rate-bucket-repository.ts";
import type { RateLimit } from "./rate-limit.ts";
import { allowance, KEYS_MAX, type RateLimiter } from "./rate-limiter.ts";
import { type Bucket, FULL_BUCKET, oneAfterMs, refilled } from "./token-bucket.ts";
import { turnsOf } from "./turns.ts";

/** What was drawn ahead and not used by then is lost. */
const LEASE_MS = 1_000;
/** Of the five seconds that a request has; the draw may be on a connection that the network has forgotten. */
const DRAW_MS = 2_000;
/** No process draws more of the burst ahead than this part. */
const LEASE_PART = 10;

/** Requests of one key that this process has drawn ahead from the shared bucket. */
interface Lease {
  unused: number;
  /** Held when it was drawn. */
  size: number;
  until: number;
  /** The shared bucket, as it was then. */
  bucket: Bucket;
  /** Between these the shared bucket is known to be empty; a clock that was set back is before both. */
  emptyFrom: number;
  emptyUntil: number;
  /** Requests that wait for the draw that is under way. */
  waiting: number;
  drawing: Promise<void> | undefined;
}

const NO_LEASE: Lease = {
  unused: 0,
  size: 0,
  until: 0,
  bucket: FULL_BUCKET,
  emptyFrom: 0,
  emptyUntil: 0,
  waiting: 0,
  drawing: undefined,
};

/**
 * For processes that share a store: each draws requests ahead, one statement for many, first one and then as many as it
 * used before, up to a tenth of the burst. All processes together never grant more than the bucket gives; what one of
 * them holds, for a second at most, the others are refused (decision 0014). While the store takes no writes, or
 * does not answer, each process counts alone, so that reads continue (R-X175).
 */
export function leasingRateLimiter(buckets: RateBucketRepository, clock: Clock): RateLimiter {
  const leases = recentlyUsed<ApiKeyId, Lease>(KEYS_MAX);
  const turns = turnsOf(KEYS_MAX);
  const alone = memoryRateLimiter(clock);

  const drawAhead = async (key: ApiKeyId, limit: RateLimit, lease: Lease): Promise<void> => {
    const now = clock.now().getTime();
    const { bucket, granted } = await buckets.draw(key, limit, now, nextSize(lease, limit, now));
    // Counted from the answer of the store: those that waited for it are decided by it, however slow it was.
    const drawnAt = clock.now().getTime();
    // What was left has either been used or outlived its second.
    Object.assign(lease, { unused: granted, size: granted, until: drawnAt + LEASE_MS, bucket });
    if (granted === 0)
      Object.assign(lease, { emptyFrom: now, emptyUntil: Math.max(now + oneAfterMs(bucket, limit), drawnAt + 1) });
  };

  return {
    async take(key, limit) {
      const lease = leases.get(key) ?? { ...NO_LEASE };
      leases.set(key, lease);
      while (true) {
        const now = clock.now().getTime();
        const present = refilled(lease.bucket, limit, now);
        if (lease.unused > 0 && now < lease.until) {
          lease.unused--;
          return allowance(true, present, limit, lease.unused);
        }
        if (now >= lease.emptyFrom && now < lease.emptyUntil) return turns.refuse(key, present, limit, now);
        lease.waiting++;
        lease.drawing ??= drawAhead(key, limit, lease).finally(() => {
          lease.drawing = undefined;
        });
        try {
          const drawn = await inTime(lease.drawing, DRAW_MS).finally(() => lease.waiting--);
          if (drawn === LATE) return alone.take(key, limit);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          return alone.take(key, limit);
        }
      }
    },
  };
}

/**
 * A lease for the requests that wait and, beyond them, twice as many as the last lease had when it was used up in time,
 * else as many as were used of it.
 */
function nextSize({ unused, size, until, waiting }: Lease, { burst }: RateLimit, now: number): number {
  const used = size - unused;
  const ahead = Math.min(Math.max(1, Math.floor(burst / LEASE_PART)), unused === 0 && now < until ? 2 * used : used);
  return Math.max(1, waiting, ahead);
}
