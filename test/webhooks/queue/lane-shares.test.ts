import fc from "fast-check";
import { type Lane, laneShares } from "../../../src/webhooks/queue/lanes-service.ts";

const lanesOf = (...underWay: readonly number[]): Lane[] =>
  underWay.map((count, index) => ({ origin: `o${index}`, underWay: count }));
const given = (lanes: readonly Lane[], places: number, most: number) => {
  const shares = laneShares(lanes, places, most);
  return lanes.map(({ origin }) => shares.get(origin) ?? 0);
};

describe("shares of a claim", () => {
  it.each([
    ["one lane takes all", [0], 50, 50, [50]],
    ["one lane takes what it may", [40], 50, 50, [10]],
    ["equal lanes share equally", [0, 0, 0], 6, 50, [2, 2, 2]],
    ["what does not go up goes to the first ones", [0, 0, 0], 5, 50, [2, 2, 1]],
    ["who has the fewest under way comes first", [25, 0, 25], 10, 50, [0, 10, 0]],
    ["until they are level", [3, 0], 7, 50, [2, 5]],
    ["the only place goes to who has none", [49, 1, 0], 1, 50, [0, 0, 1]],
    ["a full lane gets nothing", [50, 50], 10, 50, [0, 0]],
    ["no lane, no share", [], 10, 50, []],
  ])("%s", (_, underWay, places, most, expected) => {
    expect(given(lanesOf(...underWay), places, most)).toEqual(expected);
  });

  it("gives out all free places, exceeds no lane's limit, and fills the emptiest lanes first", () => {
    const anyUnderWay = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        anyUnderWay,
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (underWay, places, most) => {
          const shares = given(lanesOf(...underWay), places, most);
          const room = underWay.reduce((sum, count) => sum + Math.max(0, most - count), 0);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(Math.min(places, room));
          const levels = shares.map((share, index) => share + (underWay[index] ?? 0));
          for (const [index, share] of shares.entries()) {
            if (share === 0) continue;
            expect(levels[index]).toBeLessThanOrEqual(most);
            // No lane is lower than the level that this lane had before its last place, unless full.
            for (const level of levels) expect(level >= (levels[index] ?? 0) - 1 || level >= most).toBe(true);
          }
        },
      ),
    );
  });
});
