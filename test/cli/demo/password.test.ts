import { newPassword, newSeedId } from "../../../src/cli/demo/password.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { seededRandom } from "../../support/random.ts";

describe("a password of the demonstration", () => {
  it("is four groups of five, without characters that look alike", () => {
    const all = Array.from({ length: 500 }, () => newPassword(systemRandom));
    expect(all.filter((one) => !/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/.test(one))).toEqual([]);
    expect(new Set(all).size).toBe(500);
  });

  it("uses each of its 31 characters about equally often", () => {
    const random = seededRandom("password");
    const text = Array.from({ length: 2_000 }, () => newPassword(random))
      .join("")
      .replaceAll("-", "");
    const counts = Map.groupBy(text, (character) => character);
    expect(counts.size).toBe(31);
    const expected = text.length / 31;
    expect([...counts.values()].filter(({ length }) => Math.abs(length - expected) > expected * 0.15)).toEqual([]);
  });

  it("is independent of the seed's id, which is part of request ids", () => {
    expect(newSeedId(systemRandom)).toMatch(/^[A-Za-z0-9]{8}$/);
  });
});
