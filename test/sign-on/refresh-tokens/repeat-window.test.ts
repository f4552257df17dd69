import { isHarmlessRepeat } from "../../../src/sign-on/refresh-tokens/refresh-token.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");

describe("a replaced refresh token that comes again (R-S10)", () => {
  it.each<[string, number, number, boolean]>([
    ["at once", 30, 0, true],
    ["in the last millisecond of the window", 30, 29_999, true],
    ["at the window's end", 30, 30_000, false],
    ["long after", 30, 86_400_000, false],
    ["at once where there is no window", 0, 0, false],
    ["at a clock that is a little behind", 30, -200, true],
    ["at a clock that went back further than the window", 30, -30_000, false],
  ])("%s", (_title, windowSeconds, msLater, harmless) => {
    const replacedAt = new Date(NOW.getTime() - msLater);
    expect(isHarmlessRepeat({ replacedAt, windowSeconds, now: NOW })).toBe(harmless);
  });
});
