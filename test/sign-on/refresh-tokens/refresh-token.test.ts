import { createHash, createHmac } from "node:crypto";
import { DEFAULT_LIFETIMES } from "../../../src/sign-on/applications/application.ts";
import {
  newRefreshToken,
  newSuccessorSalt,
  refreshTokenOf,
  successorOf,
} from "../../../src/sign-on/refresh-tokens/refresh-token.ts";
import type { TokenFamily } from "../../../src/sign-on/refresh-tokens/token-family-repository.ts";
import { seededRandom } from "../../support/random.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const DAY_MS = 86_400_000;
const family = (days: number) => ({ id: "f", expiresAt: new Date(NOW.getTime() + days * DAY_MS) }) as TokenFamily;

describe("a refresh token (R-S9, S27)", () => {
  it("is 256 random bits after a prefix that scanners recognize, another each time", () => {
    const random = seededRandom();
    const tokens = [newRefreshToken(random), newRefreshToken(random)];
    expect(tokens).toEqual([expect.stringMatching(/^ghr_[\w-]{43}$/), expect.stringMatching(/^ghr_[\w-]{43}$/)]);
    expect(new Set(tokens).size).toBe(2);
  });

  it("has one successor per salt, which neither the salt nor the token gives alone (R-S10, S27)", () => {
    const random = seededRandom();
    const [token, salt, otherSalt] = [newRefreshToken(random), newSuccessorSalt(random), newSuccessorSalt(random)];
    const successor = successorOf(token, salt);
    expect(successor).toMatch(/^ghr_[\w-]{43}$/);
    expect(successorOf(token, Buffer.from(salt))).toBe(successor);
    const others = [successorOf(token, otherSalt), successorOf(newRefreshToken(random), salt), token];
    expect(others).not.toContain(successor);
    expect(salt).toHaveLength(32);
  });

  it("has the same successor from release to release, for salts that are stored (R-S10)", () => {
    const salt = Buffer.alloc(32, 7);
    const mac = createHmac("sha256", "ghr_x").update("refresh token successor\n").update(salt).digest("base64url");
    expect(successorOf("ghr_x", salt)).toBe(`ghr_${mac}`);
  });

  it("is kept as the digest of all of it", () => {
    expect(refreshTokenOf("ghr_x", family(180), DEFAULT_LIFETIMES, NOW)).toMatchObject({
      digest: createHash("sha256").update("ghr_x").digest(),
      familyId: "f",
      issuedAt: NOW,
    });
  });

  it.each([
    [180, 30],
    [30, 30],
    [29, 29],
    [0.5, 0.5],
  ])("of a family with %d days left is good for %d days", (left, good) => {
    const { expiresAt } = refreshTokenOf("ghr_x", family(left), DEFAULT_LIFETIMES, NOW);
    expect((expiresAt.getTime() - NOW.getTime()) / DAY_MS).toBe(good);
  });
});
