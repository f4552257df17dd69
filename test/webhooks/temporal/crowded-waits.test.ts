import fc from "fast-check";
import { newId, type SubscriptionId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createCrowdedWaits } from "../../../src/webhooks/temporal/crowded-waits.ts";

const MINUTE_MS = 60_000;

describe("turns of rounds that found no free place (R-X75)", () => {
  let at: number;
  let next: (id: SubscriptionId, slow?: boolean) => number;
  const busy = newId("subscription", systemRandom);
  const other = newId("subscription", systemRandom);
  const times = (count: number, id: SubscriptionId, slow?: boolean) =>
    Array.from({ length: count }, () => next(id, slow));

  beforeEach(() => {
    at = 1_000;
    const waits = createCrowdedWaits(() => at);
    next = (id, slow = false) => waits.next({ id, slow });
  });

  it.each([
    [false, 2_000, 25],
    [true, 10_000, 250],
  ])("come one after the other for one subscription, slow: %s", (slow, first, apart) => {
    expect(times(4, busy, slow)).toEqual([first, first + apart, first + 2 * apart, first + 3 * apart]);
  });

  it.each([
    [false, 2_000, 25],
    [true, 10_000, 250],
  ])("are whole milliseconds apart whatever part of one the clock shows, slow: %s", (slow, first, apart) => {
    const milliseconds = (max: number) =>
      fc.integer({ min: 0, max: max * 1e6 }).map((nanoseconds) => nanoseconds / 1e6);
    fc.assert(
      fc.property(milliseconds(30_000), milliseconds(5), (start, step) => {
        let clock = start;
        const waits = createCrowdedWaits(() => clock);
        expect(waits.next({ id: busy, slow })).toBe(first);
        clock += step;
        const second = waits.next({ id: busy, slow });
        expect(Number.isInteger(second)).toBe(true);
        expect(clock + second).toBeGreaterThan(start + first + apart - 0.001);
        expect(second).toBeLessThanOrEqual(first + apart);
      }),
      // Sums that are wrong in their last digit.
      {
        examples: [
          [6_679.875453, 0],
          [14_102.594462, 0],
        ],
      },
    );
  });

  it("are no later than ten minutes", () => {
    expect(times(10_000, busy, true).at(-1)).toBe(10 * MINUTE_MS);
    expect(times(100, busy).at(-1)).toBeLessThan(10 * MINUTE_MS);
  });

  it("do not come behind those of another subscription", () => {
    expect(times(1_000, busy).at(-1)).toBe(2_000 + 999 * 25);
    expect(next(other)).toBe(2_000);
    expect(next(other)).toBe(2_050);
  });

  it("of many subscriptions are no more in a second than those of one", () => {
    const ids = Array.from({ length: 50 }, () => newId("subscription", systemRandom));
    // All wait; from then on each asks when its turn comes.
    const turns = ids.map((id) => ({ id, turn: at + next(id) }));
    const until = at + 10 * MINUTE_MS;
    const asked: number[] = [];
    for (;;) {
      const soonest = turns.toSorted((one, two) => one.turn - two.turn)[0];
      if (soonest === undefined || soonest.turn > until) break;
      at = soonest.turn;
      asked.push(at);
      soonest.turn = at + next(soonest.id);
    }
    const perSecond = asked.filter((one) => one > until - 9 * MINUTE_MS).length / (9 * 60);
    expect(perSecond).toBeLessThanOrEqual(40);
    expect(perSecond).toBeGreaterThan(20);
  });

  it("are forgotten when they have come", () => {
    times(100, busy);
    at += 2_000 + 99 * 25;
    expect(next(busy)).toBe(2_000);
  });

  it("of slow and of prompt subscriptions are apart", () => {
    times(1_000, busy, true);
    expect(next(other)).toBe(2_000);
  });
});
