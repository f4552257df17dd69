import { createHmac } from "node:crypto";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Lifetimes } from "../applications/application.ts";
import { digestOf } from "../digest.ts";
import type { RefreshToken } from "./refresh-token-repository.ts";
import type { TokenFamily } from "./token-family-repository.ts";

const PREFIX = "ghr_";

/** An opaque refresh token: a prefix that secret scanners can find, and 256 random bits. */
export const newRefreshToken = (random: Random): string => `${PREFIX}${newSecret(random)}`;

/** The salt that each rotation stores beside the token it replaces: 256 random bits, useless without that token. */
export const newSuccessorSalt = (random: Random): Buffer => random.bytes(32);

/**
 * The refresh token that replaces `token`, the same one at every call: HMAC-SHA-256 under the old token over the
 * rotation's salt. Neither the store (which has the salt) nor an old token alone reveals it (R-S10, decision 0029).
 */
export const successorOf = (token: string, salt: Buffer): string =>
  `${PREFIX}${createHmac("sha256", token).update("refresh token successor\n").update(salt).digest("base64url")}`;

/** The row for a token of the family, valid for the idle time, at most until the family's end (R-S9). */
export const refreshTokenOf = (
  token: string,
  family: TokenFamily,
  lifetimes: Lifetimes,
  at: Date,
  predecessor?: RefreshToken,
): RefreshToken => ({
  digest: digestOf(token),
  familyId: family.id,
  issuedAt: at,
  expiresAt: new Date(Math.min(at.getTime() + lifetimes.refreshTokenIdleSeconds * 1000, family.expiresAt.getTime())),
  predecessor: predecessor?.digest,
});

/** A replaced refresh token that is presented again. */
interface RefreshRepeat {
  readonly replacedAt: Date;
  /** Whether the token that replaced it was itself replaced since, and so has reached the application. */
  readonly successorUsed: boolean;
  /** The application's `refreshRepeatSeconds`; 0 allows no repeat. */
  readonly windowSeconds: number;
  readonly now: Date;
}

/**
 * True when the repeat may be a lost answer or a parallel call: inside the window, the end excluded, and before the
 * successor's first use (R-S10). Otherwise it is theft. If this clock is behind the one that replaced the token, the
 * window is open as long before that instant as after it, and no longer.
 */
export const isHarmlessRepeat = ({ replacedAt, successorUsed, windowSeconds, now }: RefreshRepeat): boolean =>
  !successorUsed && Math.abs(now.getTime() - replacedAt.getTime()) < windowSeconds * 1000;
