import { createHmac } from "node:crypto";
import type { Random } from "#runtime/basis/random.ts";
import type { Lifetimes } from "../applications/application.ts";
import { digestOf, sameDigest } from "../digest.ts";
import { type NumberedTokens, REFRESH_PREFIX, type TokenPlace } from "../token-numbers/numbered-tokens.ts";
import type { CurrentToken, TokenFamily } from "./token-family.ts";

/** The salt of each rotation: 256 random bits, useless without the token that is replaced. */
export const newSuccessorSalt = (random: Random): Buffer => random.bytes(32);

/**
 * The secret of the refresh token that replaces `token`, the same one at every call: HMAC-SHA-256 under the old token
 * over the rotation's salt. Neither the store (which has the salt) nor an old token alone reveals it (R-S10, decision
 * 0029).
 */
const successorSecret = (token: string, salt: Buffer): Buffer =>
  createHmac("sha256", token).update("refresh token successor\n").update(salt).digest();

/** The refresh token that replaces the one at a place. */
export const successorOf = (
  tokens: Pick<NumberedTokens, "refreshToken">,
  token: string,
  salt: Buffer,
  { number, generation }: TokenPlace,
): string => tokens.refreshToken({ number, generation: generation + 1 }, successorSecret(token, salt));

/**
 * Every text that the successor may have been issued with: under each master key, since another one may have been the first
 * then, or is it in another process; and in the form from before tokens had numbers, since a store that was upgraded
 * within the repeat window may have one.
 */
function successorsOf(
  tokens: Pick<NumberedTokens, "refreshTokens">,
  token: string,
  salt: Buffer,
  { number, generation }: TokenPlace,
): readonly string[] {
  const secret = successorSecret(token, salt);
  return [
    ...tokens.refreshTokens({ number, generation: generation + 1 }, secret),
    `${REFRESH_PREFIX}${secret.toString("base64url")}`,
  ];
}

/** What is stored of a refresh token: valid for the idle time, at most until the family's end (R-S9). */
export const currentToken = (
  token: string,
  family: Pick<TokenFamily, "expiresAt">,
  lifetimes: Lifetimes,
  at: Date,
): CurrentToken => ({
  digest: digestOf(token),
  issuedAt: at,
  expiresAt: new Date(Math.min(at.getTime() + lifetimes.refreshTokenIdleSeconds * 1000, family.expiresAt.getTime())),
});

/** What a refresh token is to its family. */
export type TokenState =
  | { readonly kind: "current" }
  /** The one before the current one, which replaced it and was not used since. */
  | { readonly kind: "replaced"; readonly successor: string }
  /** An earlier one: its successor was replaced too, and so has reached the application. */
  | { readonly kind: "spent" };

/**
 * Compares a token with its family's current one; `undefined` when the family did not issue it. Of earlier ones no
 * digest is kept: the one before proves itself by its successor, those before that by their place, which only we can
 * write (decision 0052).
 */
export function stateOf(
  tokens: Pick<NumberedTokens, "refreshTokens">,
  token: string,
  place: TokenPlace,
  { generation, current, replacement }: Pick<TokenFamily, "generation" | "current" | "replacement">,
): TokenState | undefined {
  const same = sameDigest(digestOf(token), current.digest);
  if (place.generation === generation) return same ? { kind: "current" } : undefined;
  if (place.generation > generation) return undefined;
  if (place.generation < generation - 1) return { kind: "spent" };
  if (replacement === undefined) return undefined;
  const successor = successorsOf(tokens, token, replacement.salt, place).find((candidate) =>
    sameDigest(digestOf(candidate), current.digest),
  );
  return successor === undefined ? undefined : { kind: "replaced", successor };
}

/** A replaced refresh token that is presented again; its successor is the current one. */
interface RefreshRepeat {
  readonly replacedAt: Date;
  /** The application's `refreshRepeatSeconds`; 0 allows no repeat. */
  readonly windowSeconds: number;
  readonly now: Date;
}

/**
 * True when the repeat may be a lost answer or a parallel call: inside the window, the end excluded (R-S10).
 * Otherwise it is theft, as is every use of a spent token. If this clock is behind the one that replaced the token, the
 * window is open as long before that instant as after it, and no longer.
 */
export const isHarmlessRepeat = ({ replacedAt, windowSeconds, now }: RefreshRepeat): boolean =>
  Math.abs(now.getTime() - replacedAt.getTime()) < windowSeconds * 1000;
