import { parseStrictJson, repetitionIn } from "../../../src/runtime/basis/strict-json.ts";

const isSaid = () => true;
const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("strict JSON (S40)", () => {
  it.each([lists(20_000), objects(20_000)])(
    "says of JSON nested 20,000 deep that it is nested too deeply: %#",
    (text) => {
      expect(parseStrictJson(text)).toEqual({ mistake: "is nested too deeply" });
      expect(repetitionIn(text, isSaid)).toBe("is nested too deeply");
    },
  );

  it.each([lists(1_000), objects(1_000)])("takes JSON nested 1,000 deep: %#", (text) => {
    expect(parseStrictJson(text)).toEqual({ value: JSON.parse(text) });
    expect(repetitionIn(text, isSaid)).toBeUndefined();
  });

  it("takes a list of 200,000 entries, and sees what is wrong at its end", () => {
    const list = (last: string) => `[${"1,".repeat(200_000)}${last}]`;
    expect(parseStrictJson(list("1"))).toHaveProperty("value");
    expect(repetitionIn(list("1"), isSaid)).toBeUndefined();
    expect(parseStrictJson(list('{"a":1,"a":2}'))).toEqual({ mistake: "repeats the member a" });
  });

  it("names the member that is there twice where that name may be said", () => {
    const twice = '[{"name":1,"name":2}]';
    expect(repetitionIn(twice, (name) => name === "name")).toBe("repeats the member name");
    expect(repetitionIn(twice, (name) => name === "other")).toBe("repeats a member");
  });

  it.each([lists(20_000).slice(1), `${lists(20_000)}]`, "[", ""])(
    "says of others that they are not JSON: %#",
    (text) => {
      expect(parseStrictJson(text)).toEqual({ mistake: "is not JSON" });
    },
  );
});
