import { firstCharacters } from "../../../src/runtime/basis/text.ts";

describe("the first characters of a text", () => {
  it.each([
    ["", 3, ""],
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["ab😀", 3, "ab😀"],
    ["ab😀d", 3, "ab😀"],
    ["😀😀😀😀", 3, "😀😀😀"],
    ["😀😀😀", 0, ""],
  ])("of %j, %d, are %j", (text, count, first) => {
    expect(firstCharacters(text, count)).toBe(first);
  });
});
