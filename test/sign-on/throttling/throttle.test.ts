import fc from "fast-check";
import {
  afterFailure,
  type Throttle,
  type ThrottlePlan,
  throttlePlans,
  waitAfter,
  waitLeft,
} from "../../../src/sign-on/throttling/throttle.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const plan: ThrottlePlan = { free: 3, forgetMs: 60_000, firstWaitMs: 1_000, longestWaitMs: 10_000 };

/** Failures at these instants, in milliseconds from now on; the throttle after the last. */
const failing = (of: ThrottlePlan, instants: readonly number[]) =>
  instants.reduce<Throttle | undefined>((throttle, ms) => afterFailure(of, throttle, later(ms)), undefined);

describe("the wait after failures (R-S17, R-X87)", () => {
  it.each([
    [0, 0],
    [1, 0],
    [3, 0],
    [4, 1_000],
    [5, 2_000],
    [6, 4_000],
    [7, 8_000],
    [8, 10_000],
    [9, 10_000],
    [1_000_000, 10_000],
  ])("after %d failures is %d ms", (failures, waitMs) => {
    expect(waitAfter(plan, failures)).toBe(waitMs);
  });

  it.each<[string, readonly number[], number]>([
    ["three at once", [0, 0, 0], 0],
    ["four at once", [0, 0, 0, 0], 1_000],
    ["four, a failure each 59 s", [0, 59_000, 118_000, 177_000], 0],
    ["five within a minute", [0, 15_000, 30_000, 45_000, 59_999], 2_000],
    ["three, and one a minute later, when one is forgotten", [0, 0, 0, 60_000], 0],
    ["three, and one a millisecond before that", [0, 0, 0, 59_999], 1_000],
    ["twenty at once", Array<number>(20).fill(0), 10_000],
    [
      "twenty, and one two minutes later: no more is remembered than leads to the longest wait",
      [...Array<number>(20).fill(0), 120_000],
      8_000,
    ],
    ["twenty, and one when all are forgotten", [...Array<number>(20).fill(0), 480_000], 0],
  ])("%s: the wait", (_, instants, waitMs) => {
    const last = later(instants.at(-1) ?? 0);
    expect(waitLeft(plan, failing(plan, instants), last)).toBe(waitMs);
  });

  it("ends by the clock, to the millisecond", () => {
    const throttle = failing(plan, [0, 0, 0, 0]);
    expect([0, 999, 1_000, 1_001].map((ms) => waitLeft(plan, throttle, later(ms)))).toEqual([1_000, 1, 0, 0]);
    expect(waitLeft(plan, undefined, NOW)).toBe(0);
  });

  it("is none when the throttle was written while the store's clock was an hour ahead", () => {
    const { clearAt, openAt } = failing(plan, Array(20).fill(0)) ?? { clearAt: NOW, openAt: NOW };
    const ahead = { clearAt: new Date(clearAt.getTime() + HOUR_MS), openAt: new Date(openAt.getTime() + HOUR_MS) };
    expect(waitLeft(plan, ahead, NOW)).toBe(0);
    expect(waitLeft(plan, afterFailure(plan, ahead, NOW), NOW)).toBe(10_000);
    // Processes whose clocks are seconds apart keep a wait.
    expect(waitLeft(plan, { clearAt, openAt }, later(-2_000))).toBe(12_000);
  });

  const plans = fc
    .record({
      free: fc.integer({ min: 1, max: 50 }),
      forgetMs: fc.integer({ min: 1_000, max: 3_600_000 }),
      firstWaitMs: fc.integer({ min: 1, max: 60_000 }),
      times: fc.integer({ min: 1, max: 100 }),
    })
    .map(({ times, ...rest }): ThrottlePlan => ({ ...rest, longestWaitMs: rest.firstWaitMs * times }));
  const gaps = fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 80, size: "max" });
  const instantsOf = (steps: readonly number[]) => {
    let at = 0;
    return steps.map((step) => {
      at += step;
      return at;
    });
  };

  it("is never longer than the longest, so that no person is locked out for good", () => {
    fc.assert(
      fc.property(plans, gaps, (of, steps) => {
        const instants = instantsOf(steps);
        const last = later(instants.at(-1) ?? 0);
        const throttle = failing(of, instants);
        expect(waitLeft(of, throttle, last)).toBeLessThanOrEqual(of.longestWaitMs);
        expect(throttle?.clearAt.getTime() ?? 0).toBeLessThanOrEqual(
          last.getTime() + of.forgetMs * (of.free + 1 + Math.ceil(Math.log2(of.longestWaitMs / of.firstWaitMs))),
        );
      }),
    );
  });

  it("is none while there are no more failures than are free", () => {
    fc.assert(
      fc.property(plans, gaps, (of, steps) => {
        const instants = instantsOf(steps.slice(0, of.free));
        expect(waitLeft(of, failing(of, instants), later(instants.at(-1) ?? 0))).toBe(0);
      }),
    );
  });

  it("grows with failures at one instant, and never shrinks by one more", () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 0, max: 80 }), (of, failures) => {
        const waits = [failures, failures + 1].map((count) => waitLeft(of, failing(of, Array(count).fill(0)), NOW));
        expect(waits[1]).toBeGreaterThanOrEqual(waits[0] ?? 0);
      }),
    );
  });
});

describe("the plans that the settings ask for (R-X87)", () => {
  it("are none for 0 failures, each by itself", () => {
    const off = throttlePlans({ failuresPerEmail: 0, failuresPerNetwork: 0, longestWaitSeconds: 900 });
    const one = throttlePlans({ failuresPerEmail: 0, failuresPerNetwork: 100, longestWaitSeconds: 900 });
    expect(off).toEqual({ email: undefined, network: undefined, wideNetwork: undefined });
    expect([one.email, one.network?.free, one.wideNetwork?.free]).toEqual([undefined, 100, 1_000]);
  });

  it("forget a failure of an address each half hour, one of a network each ten seconds, of a wide one each second", () => {
    const settings = { failuresPerEmail: 5, failuresPerNetwork: 100, longestWaitSeconds: 900 };
    const { email, network, wideNetwork } = throttlePlans(settings);
    expect([email?.forgetMs, network?.forgetMs, wideNetwork?.forgetMs]).toEqual([1_800_000, 10_000, 1_000]);
  });

  it.each<[number, readonly number[], readonly number[]]>([
    [900, [0, 10, 20, 40, 80, 160, 320, 640, 900, 900], [0, 10, 20, 40, 60, 60]],
    [30, [0, 10, 20, 30, 30], [0, 10, 20, 30, 30]],
    [1, [0, 1, 1], [0, 1, 1]],
  ])("with at most %d s: these seconds after the last free failure", (longestWaitSeconds, email, network) => {
    const given = throttlePlans({ failuresPerEmail: 5, failuresPerNetwork: 100, longestWaitSeconds });
    const seconds = (of: ThrottlePlan | undefined, free: number, count: number) =>
      Array.from({ length: count }, (_, index) => (of === undefined ? -1 : waitAfter(of, free + index) / 1_000));
    expect(seconds(given.email, 5, email.length)).toEqual(email);
    expect(seconds(given.network, 100, network.length)).toEqual(network);
    expect(seconds(given.wideNetwork, 1_000, network.length)).toEqual(network);
  });
});
