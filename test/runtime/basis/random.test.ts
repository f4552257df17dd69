import { newSecret, systemRandom } from "../../../src/runtime/basis/random.ts";

describe("systemRandom", () => {
  it("returns as many bytes as asked for, small and large, across the edge of what was drawn ahead", () => {
    const lengths = [0, 1, 32, 1_023, 1_024, 1_025, 4_096, 10_000, ...Array.from({ length: 50 }, () => 300)];
    expect(lengths.map((length) => systemRandom.bytes(length).length)).toEqual(lengths);
  });

  it("never returns the same bytes twice, and never those it erased", () => {
    const secrets = Array.from({ length: 2_000 }, () => newSecret(systemRandom));
    expect(new Set(secrets).size).toBe(2_000);
    expect(secrets.filter((secret) => /^A{20}/.test(secret))).toEqual([]);
  });

  it("returns bytes that are the caller's own", () => {
    const first = systemRandom.bytes(32);
    const before = first.toString("hex");
    systemRandom.bytes(32).fill(7);
    expect(first.toString("hex")).toBe(before);
  });
});
