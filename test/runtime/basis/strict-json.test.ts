import { parseStrictJson, repetitionIn } from "../../../src/runtime/basis/strict-json.ts";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("strict JSON (S40)", () => {
  it.each([lists(20_000), objects(20_000)])(
    "says of JSON nested 20,000 deep that it is nested too deeply: %#",
    (text) => {
      expect(parseStrictJson(text)).toEqual({ mistake: "is nested too deeply" });
      expect(repetitionIn(text)).toBe("is nested too deeply");
    },
  );

  it.each([lists(1_000), objects(1_000)])("takes JSON nested 1,000 deep: %#", (text) => {
    expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) });
    expect(repetitionIn(text)).toBeUndefined();
  });

  it.each([lists(20_000).slice(1), `${lists(20_000)}]`, "[", ""])(
    "says of others that they are not JSON: %#",
    (text) => {
      expect(parseStrictJson(text)).toEqual({ mistake: "is not JSON" });
    },
  );
});
