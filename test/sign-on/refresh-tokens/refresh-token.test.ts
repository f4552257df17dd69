import { createHash, createHmac } from "node:crypto";
import { DEFAULT_LIFETIMES } from "../../../src/sign-on/applications/application.ts";
import { digestOf } from "../../../src/sign-on/digest.ts";
import {
  currentToken,
  newSuccessorSalt,
  stateOf,
  successorOf,
} from "../../../src/sign-on/refresh-tokens/refresh-token.ts";
import { seededRandom } from "../../support/random.ts";
import { TEST_MASTER_KEY, testTokens } from "../families-kit.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const DAY_MS = 86_400_000;
const endingIn = (days: number) => ({ expiresAt: new Date(NOW.getTime() + days * DAY_MS) });
const tokens = testTokens();
const OTHER_KEY = Buffer.alloc(32, 8);
const FIRST = { number: 12, generation: 1 };
/** A token's secret: what is left without prefix and block. */
const secretOf = (token: string) => Buffer.from(token.slice(4), "base64url").subarray(16);

describe("a refresh token (R-S9, S27)", () => {
  it("has 256 random bits after a prefix that scanners recognize, others each time", () => {
    const made = [tokens.newRefreshToken(12), tokens.newRefreshToken(12)];
    expect(made).toEqual([expect.stringMatching(/^ghr_[\w-]{64}$/), expect.stringMatching(/^ghr_[\w-]{64}$/)]);
    expect(new Set(made).size).toBe(2);
    expect(new Set(made.map((token) => secretOf(token).toString("hex"))).size).toBe(2);
    expect(made.map((token) => secretOf(token).length)).toEqual([32, 32]);
  });

  it("has one successor per salt, which neither the salt nor the token gives alone (R-S10, S27)", () => {
    const random = seededRandom();
    const [salt, otherSalt] = [newSuccessorSalt(random), newSuccessorSalt(random)];
    const [token, another] = [tokens.newRefreshToken(12), tokens.newRefreshToken(12)];
    const successor = successorOf(tokens, token, salt, FIRST);
    expect(successor).toMatch(/^ghr_[\w-]{64}$/);
    expect(successorOf(tokens, token, Buffer.from(salt), FIRST)).toBe(successor);
    const others = [
      successorOf(tokens, token, otherSalt, FIRST),
      successorOf(tokens, another, salt, FIRST),
      successorOf(tokens, token, salt, { number: 12, generation: 2 }),
      token,
    ];
    expect(others).not.toContain(successor);
    expect(salt).toHaveLength(32);
  });

  it("has the same successor from release to release, for salts that are stored (R-S10)", () => {
    const salt = Buffer.alloc(32, 7);
    const mac = createHmac("sha256", "ghr_x").update("refresh token successor\n").update(salt).digest();
    expect(secretOf(successorOf(tokens, "ghr_x", salt, FIRST))).toEqual(mac);
  });

  it("names its family and the generation behind the one that it replaces", () => {
    const successor = successorOf(tokens, tokens.newRefreshToken(12), Buffer.alloc(32, 7), FIRST);
    expect(tokens.readRefreshToken(successor)).toEqual({ number: 12, generation: 2 });
  });

  it("is kept as the digest of all of it", () => {
    expect(currentToken("ghr_x", endingIn(180), DEFAULT_LIFETIMES, NOW)).toMatchObject({
      digest: createHash("sha256").update("ghr_x").digest(),
      issuedAt: NOW,
    });
  });

  it.each([
    [180, 30],
    [30, 30],
    [29, 29],
    [0.5, 0.5],
  ])("of a family with %d days left is good for %d days", (left, good) => {
    const { expiresAt } = currentToken("ghr_x", endingIn(left), DEFAULT_LIFETIMES, NOW);
    expect((expiresAt.getTime() - NOW.getTime()) / DAY_MS).toBe(good);
  });
});

describe("what a refresh token is to its family (R-S10, R-X225)", () => {
  const salt = Buffer.alloc(32, 7);
  const first = tokens.newRefreshToken(12);
  const second = successorOf(tokens, first, salt, FIRST);
  const third = successorOf(tokens, second, salt, { number: 12, generation: 2 });
  const at = (generation: number, token: string) => ({
    generation,
    current: { digest: digestOf(token), issuedAt: NOW, expiresAt: NOW },
    replacement: generation === 1 ? undefined : { at: NOW, salt, scopes: [] },
  });
  const state = (token: string, family: ReturnType<typeof at>) =>
    stateOf(tokens, token, tokens.readRefreshToken(token), family);

  it("is the current one, the one before it, or an earlier one", () => {
    expect(state(first, at(1, first))).toEqual({ kind: "current" });
    expect(state(first, at(2, second))).toEqual({ kind: "replaced", successor: second });
    expect(state(first, at(3, third))).toEqual({ kind: "spent" });
    expect(state(second, at(3, third))).toEqual({ kind: "replaced", successor: third });
    expect(state(third, at(3, third))).toEqual({ kind: "current" });
  });

  it("is the one before also where another master key was the first when its successor was issued (R-X225)", () => {
    const [then, now] = [testTokens(TEST_MASTER_KEY, OTHER_KEY), testTokens(OTHER_KEY, TEST_MASTER_KEY)];
    const token = then.newRefreshToken(12);
    const successor = successorOf(then, token, salt, FIRST);
    expect(successorOf(now, token, salt, FIRST)).not.toBe(successor);
    expect(stateOf(now, token, now.readRefreshToken(token), at(2, successor))).toEqual({ kind: "replaced", successor });
  });

  it("is the one before also where its successor has the form from before tokens had numbers", () => {
    const mac = createHmac("sha256", first).update("refresh token successor\n").update(salt).digest();
    const successor = `ghr_${mac.toString("base64url")}`;
    expect(state(first, at(2, successor))).toEqual({ kind: "replaced", successor });
  });

  it.each<[string, string, ReturnType<typeof at>]>([
    ["with another secret, at the current place", tokens.newRefreshToken(12), at(1, first)],
    ["with another secret, at the place before", tokens.newRefreshToken(12), at(2, second)],
    ["of a generation that a restored store has not reached", second, at(1, first)],
    [
      "of another store, whose family was never refreshed",
      tokens.newRefreshToken(12),
      { ...at(2, second), replacement: undefined },
    ],
  ])("is nothing to it %s", (_title, token, family) => {
    expect(state(token, family)).toBeUndefined();
  });
});
