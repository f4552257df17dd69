import fc from "fast-check";
import { counted, decodeFormPart, firstCharacters, hasAtMost, isWord } from "../../../src/runtime/basis/text.ts";

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

describe("a number with its noun", () => {
  it.each([
    [0, "0 events"],
    [1, "1 event"],
    [2, "2 events"],
  ])("%d is %j", (count, text) => {
    expect(counted(count, "event")).toBe(text);
  });

  it("has a plural of its own where one is given", () => {
    expect([1, 2].map((count) => counted(count, "delivery", "deliveries"))).toEqual(["1 delivery", "2 deliveries"]);
  });
});

describe("a text of at most so many characters", () => {
  it.each([
    ["", 0, true],
    ["abc", 3, true],
    ["abcd", 3, false],
    ["😀😀😀", 3, true],
    ["😀😀a", 3, true],
    ["😀😀ab", 3, false],
    ["😀😀😀😀", 3, false],
  ])("%j has at most %d: %j", (text, count, is) => {
    expect(hasAtMost(text, count)).toBe(is);
  });
});

describe("a part of a form", () => {
  it.each([
    ["code", "code"],
    ["openid+profile", "openid profile"],
    ["https%3A%2F%2Fharbour.example", "https://harbour.example"],
    ["", ""],
    ["50%", undefined],
    ["%ff", undefined],
    ["a%00b", undefined],
    ["a\0b", undefined],
    ["a\ud800b", undefined],
  ])("%j is %j", (text, decoded) => {
    expect(decodeFormPart(text)).toBe(decoded);
  });

  it("is what URLSearchParams reads, whatever it encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        fc.pre(!value.includes("\0"));
        expect(decodeFormPart(new URLSearchParams({ value }).toString().slice("value=".length))).toBe(value);
      }),
    );
  });
});

describe("a name that an answer may repeat (R-X133)", () => {
  it.each(["a", "Z", "client_id", "z".repeat(32)])("is the word %s", (name) => {
    expect(isWord(name)).toBe(true);
  });

  it.each(["", "_a", "a1", "a-b", "a.b", "a b", "a\n", "é", "z".repeat(33)])("is not %j", (name) => {
    expect(isWord(name)).toBe(false);
  });
});
