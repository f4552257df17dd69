import fc from "fast-check";
import type { ApiKeyId } from "../../../src/runtime/basis/ids.ts";
import { memoryRateLimiter } from "../../../src/workforce/rate-limits/memory-rate-limiter.ts";
import type { RateLimit } from "../../../src/workforce/rate-limits/rate-limit.ts";
import type { Allowance, RateLimiter } from "../../../src/workforce/rate-limits/rate-limiter.ts";
import { standingClock } from "../../support/clock.ts";

const KEY = "apikey_a" as ApiKeyId;
const OTHER = "apikey_b" as ApiKeyId;
const SLOW: RateLimit = { perSecond: 1, burst: 1 };

/** The memory's limiter answers at once. */
const take = (limiter: RateLimiter, limit: RateLimit, key = KEY) => limiter.take(key, limit) as Allowance;
const waits = (limiter: RateLimiter, limit: RateLimit, requests: number) =>
  Array.from({ length: requests }, () => take(limiter, limit).retryAfterSeconds);

describe("the turns of refused requests (R-X419)", () => {
  it("let all who were refused at one moment pass when they come as late as their answer said", () => {
    const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 40 }), burst: fc.integer({ min: 1, max: 80 }) });
    // At most ten seconds of turns are given (R-X419), and two turns are those of the requests that found the bucket empty.
    fc.assert(
      fc.property(limits, fc.nat(999), fc.double({ min: 0, max: 8, noNaN: true }), (limit, since, seconds) => {
        const clock = standingClock();
        const limiter = memoryRateLimiter(clock);
        while (take(limiter, limit).granted);
        clock.step(since);
        while (take(limiter, limit).granted);
        const others = Math.floor(seconds * Math.min(limit.perSecond, limit.burst));
        const refused = Map.groupBy(waits(limiter, limit, others), (wait) => wait);
        const passed: boolean[] = [];
        for (let second = 1; second <= 10; second++) {
          clock.step(1_000);
          for (const _ of refused.get(second) ?? []) passed.push(take(limiter, limit).granted);
        }
        expect(passed).toEqual(Array(others).fill(true));
      }),
    );
  });

  it("are at most ten seconds away, and near again as soon as that time is over", () => {
    const clock = standingClock();
    const limiter = memoryRateLimiter(clock);
    take(limiter, SLOW);
    expect(waits(limiter, SLOW, 13)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    clock.step(10_000);
    expect([take(limiter, SLOW).granted, take(limiter, SLOW).retryAfterSeconds]).toEqual([true, 1]);
  });

  it("follow a clock that was set back", () => {
    const clock = standingClock();
    const limiter = memoryRateLimiter(clock);
    take(limiter, SLOW);
    take(limiter, SLOW);
    clock.step(-3_600_000);
    expect(waits(limiter, SLOW, 1)).toEqual([10]);
    clock.step(10_000);
    expect([take(limiter, SLOW).granted, take(limiter, SLOW).retryAfterSeconds]).toEqual([true, 1]);
  });

  it("are each key's own", () => {
    const limiter = memoryRateLimiter(standingClock());
    for (const key of [KEY, OTHER]) take(limiter, SLOW, key);
    expect(waits(limiter, SLOW, 3)).toEqual([1, 2, 3]);
    expect(take(limiter, SLOW, OTHER).retryAfterSeconds).toBe(1);
  });
});
