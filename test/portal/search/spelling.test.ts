import { likelySpelling } from "../../../src/portal/search/spelling.ts";

describe("a mistake in a searched word (R-X193)", () => {
  it.each([
    ["retires", "retries"],
    ["retrries", "retries"],
    ["retris", "retries"],
    ["retroes", "retries"],
    ["retriess", "retries"],
    ["etries", "retries"],
    ["rate limts", "rate limits"],
  ])("%s is %s", (typed, meant) => {
    expect(likelySpelling(typed, ["cors", "rate limits", "retries"])).toBe(meant);
  });

  it.each(["reties xy", "rtris", "seirter", "core", "cor", ""])("%j is none of them", (typed) => {
    expect(likelySpelling(typed, ["cors", "rate limits", "retries"])).toBeUndefined();
  });
});
