import { rankTest } from "../../bench/support/rank-test.ts";

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => index + from);

describe("the rank test of Mann and Whitney", () => {
  it("finds no difference between a sample and itself", () => {
    expect(rankTest(range(50), range(50))).toEqual({ superiority: 0.5, z: 0, p: expect.closeTo(1, 6) });
  });

  it("finds no difference where all values are equal", () => {
    const same = range(30).map(() => 1);
    expect(rankTest(same, same)).toEqual({ superiority: 0.5, z: 0, p: expect.closeTo(1, 6) });
  });

  it("finds the largest difference where no value overlaps, in both directions", () => {
    const [low, high] = [range(30), range(30, 100)];
    expect(rankTest(low, high)).toEqual({ superiority: 1, z: expect.closeTo(6.653, 2), p: expect.closeTo(0, 9) });
    expect(rankTest(high, low)).toEqual({ superiority: 0, z: expect.closeTo(-6.653, 2), p: expect.closeTo(0, 9) });
  });

  it("gives the values of published tables, ties included", () => {
    // By hand: of 25 pairs the second wins 15 and shares 4, so U is 17; four pairs of ties leave a variance of 22.36.
    const { superiority, z, p } = rankTest([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]);
    expect([superiority, z, p]).toEqual([
      expect.closeTo(0.68, 6),
      expect.closeTo(0.9515, 3),
      expect.closeTo(0.3414, 3),
    ]);
  });

  it("ignores the order of the values", () => {
    const shuffled = range(40).map((value) => (value * 17) % 40);
    expect(rankTest(shuffled, range(40, 5))).toEqual(rankTest(range(40), range(40, 5)));
  });
});
