import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Lifetimes } from "../applications/application.ts";
import { digestOf } from "../digest.ts";
import type { RefreshToken } from "./refresh-token-repository.ts";
import type { TokenFamily } from "./token-family-repository.ts";

/** An opaque refresh token: a prefix that secret scanners can find, and 256 random bits. */
export const newRefreshToken = (random: Random): string => `ghr_${newSecret(random)}`;

/** The row for a token of the family, good for the idle time but never beyond the family (R-S9). */
export const refreshTokenOf = (token: string, family: TokenFamily, lifetimes: Lifetimes, at: Date): RefreshToken => ({
  digest: digestOf(token),
  familyId: family.id,
  issuedAt: at,
  expiresAt: new Date(Math.min(at.getTime() + lifetimes.refreshTokenIdleSeconds * 1000, family.expiresAt.getTime())),
});
