import { recentlyUsed } from "../../../src/runtime/basis/recently-used.ts";

describe("what was used last", () => {
  it("is so many entries at most, and the one used longest ago gives way", () => {
    const entries = recentlyUsed<string, number>(2);
    entries.set("a", 1).set("b", 2);
    entries.get("a");
    entries.set("c", 3);
    expect([...entries.keys()].toSorted()).toEqual(["a", "c"]);
    expect(entries.get("b")).toBeUndefined();
  });

  it("does not count an entry twice that is written again", () => {
    const entries = recentlyUsed<string, number>(2);
    entries.set("a", 1).set("b", 1);
    for (let value = 2; value < 10; value++) entries.set("a", value);
    expect(Object.fromEntries(entries)).toEqual({ a: 9, b: 1 });
  });

  it("takes no memory for entries that are not there", () => {
    expect(() => recentlyUsed<string, number>(Number.MAX_SAFE_INTEGER)).not.toThrow();
  });
});
