import { type RateLimit, windowSeconds } from "./rate-limit.ts";
import type { Allowance } from "./rate-limiter.ts";

/** Name of the reply metadata in which the rate of a key travels back to the edge. */
const METADATA = "rate-limit";
const RATE = /^(\d+) (\d+) (\d+) (\d+)$/;

/** The rate of a key as a call's reply metadata: burst, window, remaining, seconds until the bucket is full. */
export const toRateMetadata = (
  limit: RateLimit,
  { remaining, fullAfterSeconds }: Allowance,
): Readonly<Record<string, string>> => ({
  [METADATA]: `${limit.burst} ${windowSeconds(limit)} ${remaining} ${fullAfterSeconds}`,
});

/**
 * The rate-limit fields for integrators (draft-ietf-httpapi-ratelimit-headers-10 §3, §4); none when the call reported
 * no rate, since the key has no limit. The one policy is called `key`: `q` requests at once, all of them again after
 * `w` seconds of silence.
 */
export function rateFields(metadata: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [rate, quota, window, remaining, reset] = RATE.exec(metadata[METADATA] ?? "") ?? [];
  if (rate === undefined) return {};
  return { "RateLimit-Policy": `"key";q=${quota};w=${window}`, RateLimit: `"key";r=${remaining};t=${reset}` };
}
