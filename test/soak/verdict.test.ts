import fc from "fast-check";
import { coursesOf, type Sample } from "./verdict.ts";

const ALLOWED = { part: 0.1, least: 5 };

const series = (values: readonly number[]): readonly Sample[] =>
  values.map((value, index) => ({ at: index * 10, values: new Map([["rows", value]]) }));

const verdictOf = (values: readonly number[], from = 0) => coursesOf(series(values), from, () => ALLOWED)[0]?.isFlat;

describe("the verdict of a soak", () => {
  it.each<[string, number[], boolean]>([
    ["the same all the time", Array(50).fill(1_000), true],
    ["a row more with each look, of few", Array.from({ length: 50 }, (_, at) => 100 + at), false],
    ["up to a level and swept, again and again", Array.from({ length: 60 }, (_, at) => 1_000 + (at % 6) * 100), true],
    ["less and less", Array.from({ length: 50 }, (_, at) => 1_000 - at), true],
    ["one peak", Array.from({ length: 50 }, (_, at) => (at === 25 ? 9_000 : 1_000)), true],
    ["twice as much in the end", Array.from({ length: 50 }, (_, at) => 1_000 + 20 * at), false],
    ["few in all", [0, 0, 1, 2, 3], true],
  ])("%s", (_, values, isFlat) => {
    expect(verdictOf(values)).toBe(isFlat);
  });

  it("looks at nothing before the end of the warm-up", () => {
    const values = [...Array.from({ length: 50 }, (_, at) => at * 100), ...Array(50).fill(5_000)];
    expect([verdictOf(values), verdictOf(values, 500)]).toEqual([false, true]);
  });

  it("finds steady growth, whatever else goes up and down with it", () => {
    const noise = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 100, maxLength: 200 });
    fc.assert(
      fc.property(
        noise,
        (rows) => verdictOf(rows.map((extra, at) => 1_000 + extra + (at * 500) / rows.length)) === false,
      ),
    );
  });
});
