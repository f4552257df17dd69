import fc from "fast-check";
import { disablesAt, failingStep } from "../../../src/webhooks/subscriptions/failing-run.ts";

const HOUR = 60 * 60 * 1000;
const BEGIN = new Date("2026-06-01T00:00:00.000Z");
const hoursIn = (hours: number): Date => new Date(BEGIN.getTime() + hours * HOUR);

describe("what a run of failures leads to (R-E12, R-X312)", () => {
  it.each<[hours: number, warnedAfterHours: number | undefined, exhausted: number, step: string]>([
    [0, undefined, 10, "none"],
    [59.999, undefined, 10, "none"],
    [60, undefined, 4, "none"],
    [60, undefined, 5, "warn"],
    [500, undefined, 5, "warn"],
    // Never without a warning before.
    [500, undefined, 10, "warn"],
    [61, 60, 10, "none"],
    [119.999, 60, 10, "none"],
    [120, 60, 9, "none"],
    [120, 60, 10, "disable"],
    // A late warning gives a day of notice.
    [120, 110, 10, "none"],
    [133.999, 110, 10, "none"],
    [134, 110, 10, "disable"],
    [500, 110, 9, "none"],
  ])("after %d hours, warned after %s, %d exhausted: %s", (hours, warned, exhausted, step) => {
    const run = { since: BEGIN, warnedAt: warned === undefined ? undefined : hoursIn(warned), exhausted };
    expect(failingStep(run, hoursIn(hours))).toBe(step);
  });

  it("is disabled at the time that the warning names, and at no earlier one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 1_000 }), fc.integer({ min: -3, max: 3 }), (warned, offset) => {
        const run = { since: BEGIN, warnedAt: hoursIn(warned), exhausted: 10 };
        const at = new Date(disablesAt(run).getTime() + offset);
        expect(failingStep(run, at)).toBe(offset < 0 ? "none" : "disable");
      }),
    );
  });

  it("no number of exhausted deliveries leads to a step before its time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 1_000 }),
        (hours, since, exhausted) => {
          const unwarned = { since: BEGIN, warnedAt: undefined, exhausted };
          const warned = { since: BEGIN, warnedAt: hoursIn(200), exhausted };
          expect(failingStep(unwarned, hoursIn(hours))).toBe("none");
          expect(failingStep(warned, hoursIn(200 + since))).toBe("none");
        },
      ),
    );
  });
});
