import type { Database } from "../../../src/runtime/database/database.ts";
import { digestOf } from "../../../src/sign-on/digest.ts";

/** Who got tokens of which application, and when. */
export interface Authorized {
  readonly applicationId: string;
  readonly instanceId: string;
  readonly personId: string;
  readonly redirectUri: string;
  readonly at: number;
}

const DAY_MS = 86_400_000;

/** The tables of codes, families and refresh tokens as the versions before migration 12 wrote them. */
interface EarlierTables {
  sign_on_authorization_codes: Readonly<Record<string, string | number | Buffer | null>>;
  sign_on_token_families: Readonly<Record<string, string | number | Buffer | null>>;
  sign_on_refresh_tokens: Readonly<Record<string, string | number | Buffer | null>>;
}

/** Writes rows as the versions before migration 12 did, each under a text of its own. */
export function earlierRows(
  database: Database<unknown>,
  { applicationId, instanceId, personId, redirectUri, at }: Authorized,
) {
  const db = database as Database<EarlierTables>;
  const authorized = {
    application_id: applicationId,
    instance_id: instanceId,
    person_id: personId,
    session_digest: digestOf("a session"),
    scopes: '["openid","email"]',
    authenticated_at: at,
    issued_at: at,
  };
  return {
    code: (text: string, familyId: string | null = null) =>
      db
        .insertInto("sign_on_authorization_codes")
        .values({
          ...authorized,
          digest: digestOf(text),
          redirect_uri: redirectUri,
          nonce: "n-1",
          expires_at: at + 600_000,
          claims: '{"userinfo":[],"idToken":[]}',
          spent_at: familyId === null ? null : at,
          family_id: familyId,
        })
        .execute(),
    family: (id: string, revokedBecause: string | null = null) =>
      db
        .insertInto("sign_on_token_families")
        .values({
          ...authorized,
          id,
          expires_at: at + 180 * DAY_MS,
          userinfo_claims: '["name"]',
          revoked_at: revokedBecause === null ? null : at,
          revoked_because: revokedBecause,
        })
        .execute(),
    /** @param replaced The salt and instant by which another token replaced this one. */
    refreshToken: (
      text: string,
      familyId: string,
      { before, replaced }: { before?: string; replaced?: { readonly salt: Buffer | null; readonly at: number } } = {},
    ) =>
      db
        .insertInto("sign_on_refresh_tokens")
        .values({
          digest: digestOf(text),
          family_id: familyId,
          issued_at: at,
          expires_at: at + 30 * DAY_MS,
          predecessor_digest: before === undefined ? null : digestOf(before),
          rotated_at: replaced?.at ?? null,
          successor_salt: replaced?.salt ?? null,
          successor_scopes: replaced === undefined ? null : authorized.scopes,
        })
        .execute(),
  };
}
