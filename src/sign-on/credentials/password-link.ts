import type { PersonId } from "#runtime/basis/ids.ts";

/** What a link is for: the first password of somebody who has none, or another one (R-S19). */
export type PasswordLinkPurpose = "invitation" | "reset";

/** How long a link is good (R-S19). */
export const PASSWORD_LINK_LIFETIME_MS = 7 * 24 * 3_600_000;

/** Whoever has its token may set the person's password, once. Known by the token's digest. */
export interface PasswordLink {
  readonly digest: Buffer;
  readonly personId: PersonId;
  readonly purpose: PasswordLinkPurpose;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedBecause: "used" | "withdrawn" | undefined;
}

/** Why a link is not good. */
export type PasswordLinkEnd = "unknown" | "expired" | "used" | "withdrawn";

/** What workforce says about the person of a link. */
export interface LinkHolder {
  readonly disabled: boolean;
  /** When last enabled again. */
  readonly enabledAt: Date | undefined;
  readonly emailChangedAt: Date | undefined;
}

/**
 * Why the link is not good, `undefined` while it is. A link is over with the address that it was obtained for (R-S8), and with the person
 * being disabled, also when that has been undone since (R-X93).
 */
export function endOfLink(
  link: PasswordLink | undefined,
  holder: LinkHolder | undefined,
  now: Date,
): PasswordLinkEnd | undefined {
  if (link === undefined) return "unknown";
  if (link.endedBecause !== undefined) return link.endedBecause;
  if (now >= link.expiresAt) return "expired";
  if (holder === undefined || holder.disabled) return "withdrawn";
  if (holder.enabledAt !== undefined && link.createdAt < holder.enabledAt) return "withdrawn";
  return holder.emailChangedAt !== undefined && link.createdAt <= holder.emailChangedAt ? "withdrawn" : undefined;
}

/** Where the link leads: built from the configured issuer, never from a header of a request (S18). */
export const passwordLinkUrl = (issuer: string, token: string): string =>
  `${issuer}/auth/set-password?token=${encodeURIComponent(token)}`;
