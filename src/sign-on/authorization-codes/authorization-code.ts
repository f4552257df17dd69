import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";

/** A code lives ten minutes at most (R-S9). */
export const CODE_LIFE_MAX_MS = 600_000;

/** An authorization code: what a token family is until it is redeemed. Of its text only the digest is stored. */
export interface AuthorizationCode {
  /** The family's. */
  readonly number: number;
  readonly digest: Buffer;
  readonly applicationId: ApplicationId;
  readonly redirectUri: string;
  readonly instanceId: InstanceId;
  readonly personId: PersonId;
  readonly sessionDigest: Buffer;
  readonly scopes: readonly Scope[];
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly claims: RequestedClaims;
  readonly authenticatedAt: Date;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** A stored code. Once it is redeemed, digest and times are those of its family's refresh token. */
export interface StoredAuthorizationCode extends AuthorizationCode {
  readonly isRedeemed: boolean;
}
