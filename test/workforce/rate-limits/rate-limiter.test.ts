import type { ApiKeyId } from "../../../src/runtime/basis/ids.ts";
import { storeUnavailable } from "../../../src/runtime/basis/store-troubles.ts";
import { leasingRateLimiter } from "../../../src/workforce/rate-limits/leasing-rate-limiter.ts";
import { memoryRateLimiter } from "../../../src/workforce/rate-limits/memory-rate-limiter.ts";
import {
  type RateBucketRepository,
  rateBucketRepository,
} from "../../../src/workforce/rate-limits/rate-bucket-repository.ts";
import type { RateLimit } from "../../../src/workforce/rate-limits/rate-limit.ts";
import type { RateLimiter } from "../../../src/workforce/rate-limits/rate-limiter.ts";
import { REQUEST } from "../../../src/workforce/rate-limits/token-bucket.ts";
import type { WorkforceTables } from "../../../src/workforce/tables.ts";
import { type StandingClock, standingClock } from "../../support/clock.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

const LIMIT: RateLimit = { perSecond: 50, burst: 100 };

/** How many of so many requests pass, sent as the limiters take turns. */
async function passing(limiters: readonly RateLimiter[], key: ApiKeyId, limit: RateLimit, requests: number) {
  let passed = 0;
  for (let sent = 0; sent < requests; sent++) {
    const { granted } = (await limiters[sent % limiters.length]?.take(key, limit)) ?? { granted: false };
    if (granted) passed++;
  }
  return passed;
}

/** The same, all at once. */
async function passingAtOnce(limiters: readonly RateLimiter[], key: ApiKeyId, limit: RateLimit, requests: number) {
  const all = Array.from({ length: requests }, (_, sent) => limiters[sent % limiters.length]?.take(key, limit));
  return (await Promise.all(all)).filter((one) => one?.granted === true).length;
}

/** As services compose it: one process and its memory over an embedded store, several processes over PostgreSQL. */
const limiterOver = ({ store }: TestStore, clock: StandingClock): RateLimiter =>
  store.dialect === "sqlite"
    ? memoryRateLimiter(clock)
    : leasingRateLimiter(rateBucketRepository(store.view<WorkforceTables>()), clock);

eachStore((_, open) => {
  describe("the rate limiter (R-G12)", () => {
    let workforce: Workforce;
    let clock: StandingClock;
    let limiter: RateLimiter;
    const newKey = async () => (await workforce.integration()).apiKeyId as ApiKeyId;

    beforeAll(async () => {
      workforce = await openWorkforce(open);
    });
    beforeEach(() => {
      clock = standingClock();
      limiter = limiterOver(workforce.opened, clock);
    });

    it("gives a key that is alone its full burst, and no more", async () => {
      expect(await passing([limiter], await newKey(), LIMIT, 150)).toBe(100);
      expect(await passingAtOnce([limiter], await newKey(), LIMIT, 150)).toBe(100);
      expect(await passing([limiter], await newKey(), { perSecond: 1, burst: 1 }, 3)).toBe(1);
    });

    it("gives as many requests again as time refills, to the very request", async () => {
      const key = await newKey();
      await passing([limiter], key, LIMIT, 150);
      clock.step(19);
      expect(await passing([limiter], key, LIMIT, 3)).toBe(0);
      clock.step(1);
      expect(await passing([limiter], key, LIMIT, 3)).toBe(1);
      clock.step(500);
      expect(await passing([limiter], key, LIMIT, 50)).toBe(25);
      clock.step(3_600_000);
      expect(await passing([limiter], key, LIMIT, 150)).toBe(100);
    });

    it("refuses no longer than before when the clock is set back by an hour", async () => {
      const key = await newKey();
      const limit = { perSecond: 1, burst: 2 };
      expect(await passing([limiter], key, limit, 5)).toBe(2);
      clock.step(-3_600_000);
      const granted: boolean[] = [];
      for (let minute = 0; minute < 3; minute++) {
        clock.step(60_000);
        granted.push((await limiter.take(key, limit)).granted);
      }
      expect(granted.slice(1)).toEqual([true, true]);
    });

    it("keeps one key's budget apart from another's", async () => {
      await passing([limiter], await newKey(), LIMIT, 150);
      expect(await passing([limiter], await newKey(), LIMIT, 150)).toBe(100);
    });

    it("returns how many requests are left, when all are there again, and when to try again", async () => {
      const key = await newKey();
      const limit = { perSecond: 10, burst: 20 };
      expect(await limiter.take(key, limit)).toEqual({
        granted: true,
        remaining: 19,
        fullAfterSeconds: 1,
        retryAfterSeconds: 1,
      });
      await passing([limiter], key, limit, 19);
      expect(await limiter.take(key, limit)).toEqual({
        granted: false,
        remaining: 0,
        fullAfterSeconds: 2,
        retryAfterSeconds: 1,
      });
      const slow = { perSecond: 1, burst: 5 };
      const other = await newKey();
      await passing([limiter], other, slow, 5);
      expect(await limiter.take(other, slow)).toMatchObject({
        granted: false,
        fullAfterSeconds: 5,
        retryAfterSeconds: 1,
      });
    });

    it("gives each of many refused requests a second in which it passes (R-X419)", async () => {
      const key = await newKey();
      const limit = { perSecond: 10, burst: 20 };
      await passing([limiter], key, limit, 20);
      const waits: number[] = [];
      for (let caller = 0; caller < 60; caller++) waits.push((await limiter.take(key, limit)).retryAfterSeconds);
      expect(waits).toEqual([1, 2, 3, 4, 5, 6].flatMap((second) => Array<number>(10).fill(second)));
      const passed: number[] = [];
      for (let second = 1; second <= 6; second++) {
        clock.step(1_000);
        passed.push(await passing([limiter], key, limit, 10));
      }
      expect(passed).toEqual(Array(6).fill(10));
      clock.step(2_000);
      await passing([limiter], key, limit, 20);
      expect(await limiter.take(key, limit)).toMatchObject({ granted: false, retryAfterSeconds: 1 });
    });

    it("always allows steady use below the limit", async () => {
      const key = await newKey();
      let passed = 0;
      for (let request = 0; request < 300; request++) {
        passed += await passing([limiter], key, LIMIT, 1);
        clock.step(25);
      }
      expect(passed).toBe(300);
    });
  });
});

describe("while the store takes no writes (R-X175)", () => {
  const failing = (failure: unknown): RateBucketRepository =>
    ({ draw: () => Promise.reject(failure) }) as unknown as RateBucketRepository;

  it("each process counts by itself, so that reads go on", async () => {
    const limiter = leasingRateLimiter(failing(storeUnavailable("read_only", new Error("25006"))), standingClock());
    expect(await passing([limiter], "apikey_a" as ApiKeyId, LIMIT, 150)).toBe(100);
    expect(await passingAtOnce([limiter], "apikey_b" as ApiKeyId, LIMIT, 150)).toBe(100);
  });

  it("each process counts by itself where the store does not answer, as on a connection that the network has forgotten", async () => {
    const silent = { draw: () => new Promise(() => undefined) } as unknown as RateBucketRepository;
    const limiter = leasingRateLimiter(silent, standingClock());
    expect(await passingAtOnce([limiter], "apikey_a" as ApiKeyId, LIMIT, 150)).toBe(100);
  });

  it("another failure is thrown, and lets no request pass", async () => {
    const limiter = leasingRateLimiter(failing(new Error("a mistake")), standingClock());
    await expect(limiter.take("apikey_a" as ApiKeyId, LIMIT)).rejects.toThrow("a mistake");
  });
});

describe("while the store is slow", () => {
  it("a request uses what was drawn for it, however long that took", async () => {
    const clock = standingClock();
    let draws = 0;
    const buckets: RateBucketRepository = {
      async draw(_key, _limit, now, wanted) {
        draws++;
        clock.step(1_500);
        return { bucket: { drawn: draws * REQUEST, at: now }, granted: draws > 5 ? 0 : wanted };
      },
    };
    const limiter = leasingRateLimiter(buckets, clock);
    expect(await limiter.take("apikey_a" as ApiKeyId, LIMIT)).toMatchObject({ granted: true });
    expect(draws).toBe(1);
    draws = 5;
    expect(await limiter.take("apikey_b" as ApiKeyId, LIMIT)).toMatchObject({ granted: false });
    expect(draws).toBe(6);
  });
});

describe("the memory of one process (R-G12)", () => {
  it("is bounded: the key with the oldest use counts as new", async () => {
    const limiter = memoryRateLimiter(standingClock(), 2);
    const limit = { perSecond: 1, burst: 1 };
    const [first, second, third] = ["apikey_1", "apikey_2", "apikey_3"] as unknown as readonly [
      ApiKeyId,
      ApiKeyId,
      ApiKeyId,
    ];
    const passes = [first, second, first, third, first, second].map(
      async (key) => (await limiter.take(key, limit)).granted,
    );
    expect(await Promise.all(passes)).toEqual([true, true, false, true, false, true]);
  });
});

onPostgres((open) => {
  describe("several processes over one store (R-G12, decision 0014)", () => {
    const processes = async (count: number) => {
      const workforce = await openWorkforce(open);
      const racers = await workforce.opened.racers(count);
      const clock = standingClock();
      const key = (await workforce.integration()).apiKeyId as ApiKeyId;
      return { workforce, clock, key, limiters: racers.map((racer) => limiterOver(racer, clock)) };
    };

    it("together grant at most as much as one, and lose at most what each holds", async () => {
      const { clock, key, limiters } = await processes(2);
      const passed = await passing(limiters, key, LIMIT, 300);
      expect(passed).toBeLessThanOrEqual(100);
      expect(passed).toBeGreaterThanOrEqual(100 - LIMIT.burst / 10);
      clock.step(1_000);
      const again = await passing(limiters, key, LIMIT, 300);
      expect(again).toBeLessThanOrEqual(50);
      expect(passed + again).toBeLessThanOrEqual(150);
    });

    it("together stay within the limit when all ask at once", async () => {
      const { key, limiters } = await processes(4);
      const passed = await passingAtOnce(limiters, key, LIMIT, 400);
      expect(passed).toBe(100);
    });

    it("give the whole limit to one process when the others are idle", async () => {
      const { key, limiters } = await processes(2);
      expect(await passing(limiters.slice(1), key, LIMIT, 150)).toBe(100);
    });

    it("show by what they count not that the store takes writes: that waits for no disk and no standby (R-X175)", async () => {
      const workforce = await openWorkforce(open);
      const key = (await workforce.integration()).apiKeyId as ApiKeyId;
      const { health } = workforce.opened.store;
      health.writeFailed("away");
      for (const at of [1, 2]) await rateBucketRepository(workforce.db).draw(key, LIMIT, at, 1);
      expect(health.trouble).toBe("away");
    });

    it("write less often than once per request", async () => {
      const workforce = await openWorkforce(open);
      const key = (await workforce.integration()).apiKeyId as ApiKeyId;
      const buckets = rateBucketRepository(workforce.db);
      let statements = 0;
      const clock = standingClock();
      const limiter = leasingRateLimiter(
        {
          draw: (...given) => {
            statements++;
            return buckets.draw(...given);
          },
        },
        clock,
      );
      for (let request = 0; request < 400; request++) {
        await limiter.take(key, LIMIT);
        clock.step(25);
      }
      expect(statements).toBeLessThan(100);
      statements = 0;
      await passing([limiter], key, LIMIT, 100);
      for (let refused = 0; refused < 1_000; refused++) await limiter.take(key, LIMIT);
      expect(statements).toBeLessThan(25);
    });

    it("lose what was drawn ahead and left unused for a second", async () => {
      const { clock, key, limiters } = await processes(2);
      const [busy, other] = limiters;
      await passing(busy === undefined ? [] : [busy], key, { perSecond: 1, burst: 100 }, 60);
      clock.step(1_000);
      const rest = await passing(other === undefined ? [] : [other], key, { perSecond: 1, burst: 100 }, 100);
      expect(rest).toBeGreaterThanOrEqual(30);
      expect(rest).toBeLessThanOrEqual(41);
    });

    it("share a bucket though their clocks differ", async () => {
      const workforce = await openWorkforce(open);
      const [first, second] = await workforce.opened.racers(2);
      const key = (await workforce.integration()).apiKeyId as ApiKeyId;
      const ahead = standingClock();
      const behind = standingClock(new Date(ahead.now().getTime() - 5_000));
      const limiters = [first, second].flatMap((store, index) =>
        store === undefined ? [] : [limiterOver(store, index === 0 ? ahead : behind)],
      );
      await passing(limiters.slice(0, 1), key, LIMIT, 150);
      expect(await passing(limiters.slice(1), key, LIMIT, 150)).toBe(0);
      ahead.step(1_000);
      behind.step(1_000);
      await passing(limiters.slice(0, 1), key, LIMIT, 1);
      expect(await passing(limiters.slice(1), key, LIMIT, 150)).toBe(49);
    });
  });
});
