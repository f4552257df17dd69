/** How often a key may be used (R-G12). */
export interface RateLimit {
  /** Requests a second on average; 0 for no limit. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** Largest value of either part. */
export const RATE_MAX = 100_000;

export const isLimited = ({ perSecond }: RateLimit): boolean => perSecond > 0;

/** Seconds in which an empty bucket fills, rounded up. */
export const windowSeconds = ({ perSecond, burst }: RateLimit): number => Math.ceil(burst / perSecond);
