import { isHarmlessRepeat } from "../../../src/sign-on/refresh-tokens/refresh-token.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");

describe("a replaced refresh token that comes again (R-S10)", () => {
  it.each<[string, number, number, boolean, boolean]>([
    ["at once", 30, 0, false, true],
    ["in the last millisecond of the window", 30, 29_999, false, true],
    ["at the window's end", 30, 30_000, false, false],
    ["long after", 30, 86_400_000, false, false],
    ["in the window, but the successor was used", 30, 1, true, false],
    ["at once where there is no window", 0, 0, false, false],
    ["at a clock that is a little behind", 30, -200, false, true],
    ["at a clock that went back further than the window", 30, -30_000, false, false],
  ])("%s", (_title, windowSeconds, msLater, successorUsed, harmless) => {
    const replacedAt = new Date(NOW.getTime() - msLater);
    expect(isHarmlessRepeat({ replacedAt, successorUsed, windowSeconds, now: NOW })).toBe(harmless);
  });
});
