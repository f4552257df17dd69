import type { RateLimit } from "./rate-limit.ts";

/**
 * A token bucket by what is missing in it, so that a new key's is nothing. Whole numbers throughout: a millisecond refills as many
 * thousandths of a request as the limit has requests a second.
 */
export interface Bucket {
  /** Thousandths of a request that were drawn and are not refilled yet. */
  readonly drawn: number;
  /** Unix milliseconds up to which it is refilled. */
  readonly at: number;
}

export const FULL_BUCKET: Bucket = { drawn: 0, at: 0 };

export const REQUEST = 1_000;

/**
 * Clocks of several processes that differ by less share a bucket: the one behind refills nothing, and the time of the bucket does not go
 * back. A clock that was set back by more begins again with it.
 */
export const CLOCKS_DIFFER_MAX_MS = 10_000;

/** The bucket as it is at `now`. */
export function refilled({ drawn, at }: Bucket, { perSecond }: RateLimit, now: number): Bucket {
  if (at - now > CLOCKS_DIFFER_MAX_MS) return { drawn, at: now };
  if (at >= now) return { drawn, at };
  return { drawn: Math.max(0, drawn - (now - at) * perSecond), at: now };
}

/** Requests that may come at once. */
export const remainingIn = ({ drawn }: Bucket, { burst }: RateLimit): number =>
  Math.max(0, Math.floor(burst - drawn / REQUEST));

/** Draws up to `wanted` requests from a bucket that is refilled to the present. */
export function draw(bucket: Bucket, limit: RateLimit, wanted: number): { bucket: Bucket; granted: number } {
  const granted = Math.min(wanted, remainingIn(bucket, limit));
  return { granted, bucket: { drawn: bucket.drawn + granted * REQUEST, at: bucket.at } };
}

/** Milliseconds until the bucket is full. */
export const fullAfterMs = ({ drawn }: Bucket, { perSecond }: RateLimit): number => Math.ceil(drawn / perSecond);

/** Milliseconds until one more request may come; 0 when it may at once. */
export const oneAfterMs = ({ drawn }: Bucket, { perSecond, burst }: RateLimit): number =>
  Math.max(0, Math.ceil((drawn - (burst - 1) * REQUEST) / perSecond));
