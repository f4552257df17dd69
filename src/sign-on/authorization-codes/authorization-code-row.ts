import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";
import type { FamiliesTable } from "../tables.ts";
import type { AuthorizationCode, StoredAuthorizationCode } from "./authorization-code.ts";

/** What a code gives of its family's row. */
export type NewCodeRow = Omit<
  FamiliesTable,
  | "generation"
  | "redeemed_at"
  | "ends_at"
  | "replaced_at"
  | "successor_salt"
  | "successor_scopes"
  | "expired_at"
  | "revoked_at"
  | "revoked_because"
>;

export const toRow = (code: AuthorizationCode): NewCodeRow => ({
  number: code.number,
  application_id: code.applicationId,
  redirect_uri: code.redirectUri,
  instance_id: code.instanceId,
  person_id: code.personId,
  session_digest: code.sessionDigest,
  scopes: JSON.stringify(code.scopes),
  claims: JSON.stringify(code.claims),
  nonce: code.nonce ?? null,
  code_challenge: code.codeChallenge ?? null,
  authenticated_at: code.authenticatedAt.getTime(),
  token_digest: code.digest,
  issued_at: code.issuedAt.getTime(),
  expires_at: code.expiresAt.getTime(),
});

export const toCode = (row: FamiliesTable): StoredAuthorizationCode => ({
  number: row.number,
  digest: row.token_digest,
  applicationId: row.application_id as ApplicationId,
  redirectUri: row.redirect_uri,
  instanceId: row.instance_id as InstanceId,
  personId: row.person_id as PersonId,
  sessionDigest: row.session_digest,
  scopes: JSON.parse(row.scopes) as Scope[],
  nonce: row.nonce ?? undefined,
  codeChallenge: row.code_challenge ?? undefined,
  claims: JSON.parse(row.claims) as RequestedClaims,
  authenticatedAt: new Date(row.authenticated_at),
  issuedAt: new Date(row.issued_at),
  expiresAt: new Date(row.expires_at),
  isRedeemed: row.generation > 0,
});
