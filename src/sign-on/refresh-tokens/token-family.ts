import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { RequestableClaim } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";

/** The record behind everything issued from one authorization (RFC 9700 §4.14.2). */
export interface TokenFamily {
  readonly number: number;
  /** What access tokens and audit log call it: the number, enciphered. */
  readonly id: string;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
  readonly personId: PersonId;
  readonly sessionDigest: Buffer;
  readonly scopes: readonly Scope[];
  /** Single claims that userinfo returns besides those of the scopes (OIDC Core §5.5). */
  readonly userinfoClaims: readonly RequestableClaim[];
  readonly authenticatedAt: Date;
  readonly issuedAt: Date;
  /** Absolute limit: every token of the family is invalid from here on. */
  readonly expiresAt: Date;
  /** Of the current refresh token; the first one's is 1. */
  readonly generation: number;
  readonly current: CurrentToken;
  /** How the current refresh token replaced the one before; `undefined` for the first. */
  readonly replacement: Replacement | undefined;
}

/** The refresh token that is good; stored as its digest. */
export interface CurrentToken {
  readonly digest: Buffer;
  readonly issuedAt: Date;
  /** Idle limit (R-S9). */
  readonly expiresAt: Date;
}

/** How a refresh token was replaced. */
export interface Replacement {
  readonly at: Date;
  /** The salt: with the token before, it gives the current one (`successorOf`). The next replacement overwrites it. */
  readonly salt: Buffer;
  /** The scopes of the first answer; a repeat must ask for the same (R-S10). */
  readonly scopes: readonly Scope[];
}
