import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { beginningOf, familyNumbers, firstNumberAt } from "../../../src/sign-on/token-numbers/family-number.ts";
import { NOWHERE, numberedTokens } from "../../../src/sign-on/token-numbers/numbered-tokens.ts";
import { seededRandom } from "../../support/random.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const NUMBER = firstNumberAt(NOW) + 7;
const [oneKey, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const under = (...keys: readonly Buffer[]) => numberedTokens(createSealer(keys, systemRandom), systemRandom);
const tokens = under(oneKey);
/** Each text that differs from the one given in one bit of its bytes; `prefix` is not changed. */
const changed = (text: string, prefix = "") => {
  const bytes = Buffer.from(text.slice(prefix.length), "base64url");
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return `${prefix}${other.toString("base64url")}`;
  });
};

describe("texts of codes and refresh tokens (R-X225)", () => {
  it("name the family's number and the generation", () => {
    expect(tokens.readCode(tokens.newCode(NUMBER))).toEqual({ number: NUMBER, generation: 0 });
    expect(tokens.readRefreshToken(tokens.newRefreshToken(NUMBER))).toEqual({ number: NUMBER, generation: 1 });
    const place = { number: 2 ** 53 - 1, generation: 2 ** 32 - 1 };
    expect(tokens.readRefreshToken(tokens.refreshToken(place, Buffer.alloc(32, 9)))).toEqual(place);
  });

  it("reveal nothing of the number: neighbours share no more bytes than chance", () => {
    const blocks = Array.from({ length: 64 }, (_, index) => Buffer.from(tokens.idOf(NUMBER + index), "base64url"));
    const shared = blocks
      .slice(1)
      .flatMap((block, index) => [...block].filter((byte, at) => byte === blocks[index]?.[at]));
    expect(shared.length).toBeLessThan(16);
    expect(new Set(blocks.map((block) => block.toString("hex"))).size).toBe(64);
  });

  it("are nothing when one bit was changed, in the block or in the secret", () => {
    const [code, token] = [tokens.newCode(NUMBER), tokens.newRefreshToken(NUMBER)];
    expect(changed(code).filter((text) => tokens.readCode(text) !== NOWHERE)).toEqual([]);
    expect(changed(token, "ghr_").filter((text) => tokens.readRefreshToken(text) !== NOWHERE)).toEqual([]);
    expect(changed(tokens.idOf(NUMBER)).filter((text) => tokens.numberOf(text) !== undefined)).toEqual([]);
  });

  it("are nothing as another kind", () => {
    const [code, token, id] = [tokens.newCode(NUMBER), tokens.newRefreshToken(NUMBER), tokens.idOf(NUMBER)];
    expect([tokens.readRefreshToken(`ghr_${code}`), tokens.readCode(token.slice(4)), tokens.readCode(token)]).toEqual([
      NOWHERE,
      NOWHERE,
      NOWHERE,
    ]);
    expect([code, token, code.slice(0, 22), token.slice(4, 26)].map(tokens.numberOf)).toEqual(Array(4).fill(undefined));
    expect([tokens.readCode(id), tokens.readRefreshToken(`ghr_${id}`)]).toEqual([NOWHERE, NOWHERE]);
  });

  it.each(["", "ghr_", "a", "a".repeat(43), "a".repeat(64), "A".repeat(64), "!".repeat(64), "é", "a".repeat(100_000)])(
    "%p is nothing",
    (text) => {
      expect([tokens.readCode(text), tokens.readRefreshToken(text), tokens.readRefreshToken(`ghr_${text}`)]).toEqual([
        NOWHERE,
        NOWHERE,
        NOWHERE,
      ]);
      expect(tokens.numberOf(text)).toBeUndefined();
    },
  );

  it("have one spelling each", () => {
    const code = tokens.newCode(NUMBER);
    expect([`${code}=`, `${code} `, ` ${code}`, `${code}A`].map(tokens.readCode)).toEqual(Array(4).fill(NOWHERE));
    expect(tokens.readRefreshToken(tokens.newRefreshToken(NUMBER).slice(4))).toBe(NOWHERE);
  });

  it("are read as long as the master key is in the list, first or not", () => {
    const old = { code: tokens.newCode(NUMBER), token: tokens.newRefreshToken(NUMBER), id: tokens.idOf(NUMBER) };
    const both = under(otherKey, oneKey);
    expect(both.readCode(old.code)).toEqual({ number: NUMBER, generation: 0 });
    expect(both.readRefreshToken(old.token)).toEqual({ number: NUMBER, generation: 1 });
    expect(both.numberOf(old.id)).toBe(NUMBER);
    expect(both.numberOf(both.idOf(NUMBER))).toBe(NUMBER);
    const other = under(otherKey);
    expect([other.readCode(old.code), other.readRefreshToken(old.token)]).toEqual([NOWHERE, NOWHERE]);
    expect(other.numberOf(old.id)).toBeUndefined();
  });
});

describe("numbers of families (decision 0052)", () => {
  it("rise, also within a millisecond and when the clock goes back, and never lie before their time", () => {
    const { next } = familyNumbers(seededRandom());
    const times = [0, 0, 0, 1, 5_000, -3_600_000, 0, 5_001].map((ms) => new Date(NOW.getTime() + ms));
    const made = times.map((at) => ({ at, number: next(at) }));
    expect(made.map(({ number }) => number)).toEqual(made.map(({ number }) => number).toSorted((a, b) => a - b));
    expect(new Set(made.map(({ number }) => number)).size).toBe(made.length);
    expect(made.filter(({ at, number }) => number < firstNumberAt(at))).toEqual([]);
  });

  it("have the time in them, to the millisecond", () => {
    const number = familyNumbers(seededRandom()).next(NOW);
    expect(beginningOf(number)).toEqual(NOW);
    expect(number).toBeGreaterThanOrEqual(firstNumberAt(NOW));
    expect(number).toBeLessThan(firstNumberAt(new Date(NOW.getTime() + 1)));
  });

  it.each(["2027-06-30T08:15:27Z", "2110-01-01T00:00:00Z"])(
    "have the time in them again once a clock that was at %s for a moment is right",
    (ahead) => {
      const { next } = familyNumbers(seededRandom());
      next(new Date(ahead));
      const made = [next(NOW), next(NOW)];
      expect(made.map(beginningOf)).toEqual([NOW, NOW]);
      expect(made.map((number) => tokens.readCode(tokens.newCode(number)).number)).toEqual(made);
    },
  );

  it("fit a safe integer until the year 2109, and begin at 1 for a clock before 1970", () => {
    expect(Number.isSafeInteger(firstNumberAt(new Date("2109-05-15T00:00:00Z")))).toBe(true);
    expect(firstNumberAt(new Date(-1))).toBe(1);
  });

  it("begin anywhere within a millisecond, so that processes seldom choose the same", () => {
    const made = Array.from({ length: 8 }, () => familyNumbers(systemRandom).next(NOW));
    expect(new Set(made).size).toBeGreaterThan(1);
  });
});
