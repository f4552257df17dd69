import {
  CLOCKS_DIFFER_MAX_MS,
  draw,
  FULL_BUCKET,
  fullAfterMs,
  oneAfterMs,
  refilled,
  remainingIn,
} from "../../../src/workforce/rate-limits/token-bucket.ts";

const NOW = 1_000_000;
const LIMIT = { perSecond: 50, burst: 100 };

describe("the token bucket of a key (R-G12)", () => {
  it.each([
    ["the whole burst", LIMIT, 0, 100],
    ["no more after an empty bucket", LIMIT, 100, 0],
    ["what is left", LIMIT, 99, 1],
    ["one, with the smallest limit", { perSecond: 1, burst: 1 }, 0, 1],
  ])("grants %s", (_, limit, before, expected) => {
    const { bucket } = draw(refilled(FULL_BUCKET, limit, NOW), limit, before);
    expect(draw(bucket, limit, 1_000).granted).toBe(expected);
  });

  it.each([
    [0, 0],
    [19, 0],
    [20, 1],
    [1_000, 50],
    [1_999, 99],
    [2_000, 100],
    [60_000, 100],
  ])("has refilled after %d ms by %d of 100 at 50 a second", (ms, expected) => {
    const { bucket } = draw(refilled(FULL_BUCKET, LIMIT, NOW), LIMIT, 100);
    expect(remainingIn(refilled(bucket, LIMIT, NOW + ms), LIMIT)).toBe(expected);
  });

  it("loses no part of a request however often it is read", () => {
    let { bucket } = draw(refilled(FULL_BUCKET, LIMIT, NOW), LIMIT, 100);
    for (let ms = 1; ms <= 20; ms++) bucket = refilled(bucket, LIMIT, NOW + ms);
    expect(remainingIn(bucket, LIMIT)).toBe(1);
  });

  it.each([
    [0, 0, 0],
    [1, 20, 0],
    [99, 1_980, 0],
    [100, 2_000, 20],
  ])("says after %d requests that it is full in %d ms and gives one in %d ms", (drawn, full, one) => {
    const { bucket } = draw(refilled(FULL_BUCKET, LIMIT, NOW), LIMIT, drawn);
    expect([fullAfterMs(bucket, LIMIT), oneAfterMs(bucket, LIMIT)]).toEqual([full, one]);
  });

  it("refills nothing for a clock that is behind, and recovers from one that was set back", () => {
    const { bucket } = draw(refilled(FULL_BUCKET, LIMIT, NOW), LIMIT, 100);
    expect(refilled(bucket, LIMIT, NOW - CLOCKS_DIFFER_MAX_MS)).toEqual(bucket);
    const setBack = refilled(bucket, LIMIT, NOW - CLOCKS_DIFFER_MAX_MS - 1);
    expect(remainingIn(refilled(setBack, LIMIT, setBack.at + 1_000), LIMIT)).toBe(50);
  });
});
