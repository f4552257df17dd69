import { DAY_MS } from "#runtime/basis/durations.ts";
import type { PersonId } from "#runtime/basis/ids.ts";

/** What a link is for: a person's first password, or another one (R-S19). */
export type PasswordLinkPurpose = "invitation" | "reset";

/** How long a link is valid (R-S19). */
export const PASSWORD_LINK_LIFETIME_MS = 7 * DAY_MS;

/** A link whose token sets the person's password, once. Stored under the token's digest. */
export interface PasswordLink {
  readonly digest: Buffer;
  readonly personId: PersonId;
  readonly purpose: PasswordLinkPurpose;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedBecause: "used" | "withdrawn" | undefined;
  /** The person's when the link was made; `undefined` for links of earlier programs. */
  readonly personState: string | undefined;
}

/** Why a link is invalid. */
export type PasswordLinkEnd = "unknown" | "expired" | "used" | "withdrawn";

/** The person of a link, as workforce returns them. */
export interface LinkHolder {
  readonly disabled: boolean;
  /** When last enabled again. */
  readonly enabledAt: Date | undefined;
  readonly emailChangedAt: Date | undefined;
  /** Another text whenever one of these two changes. */
  readonly state: string;
}

/**
 * Why the link is invalid; `undefined` while it is valid. A link ends when the person's address changes (R-S8) or the
 * person is disabled, even if they were enabled again since (R-X93).
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
  // Which of two instants of two processes is the earlier one is not certain; whether anything was changed is.
  if (link.personState !== undefined) return link.personState === holder.state ? undefined : "withdrawn";
  if (holder.enabledAt !== undefined && link.createdAt < holder.enabledAt) return "withdrawn";
  return holder.emailChangedAt !== undefined && link.createdAt <= holder.emailChangedAt ? "withdrawn" : undefined;
}

/** The link's address: built from the configured issuer, never from a request header (S18). */
export const passwordLinkUrl = (issuer: string, token: string): string =>
  `${issuer}/auth/set-password?token=${encodeURIComponent(token)}`;
