import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { SignOnTables } from "../tables.ts";

/** A token family, ended ones included. */
export interface FamilyRecord {
  readonly id: string;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
  readonly personId: PersonId;
  readonly scopes: readonly string[];
  readonly authenticatedAt: Date;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly revoked: { readonly at: Date; readonly because: string } | undefined;
  /** When its application was last disabled or enabled, if that voids it. */
  readonly voidedAt: Date | undefined;
}

export interface RefreshTokenRecord {
  readonly familyId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly rotatedAt: Date | undefined;
  /** Whether the token that replaced it was itself replaced since. */
  readonly successorUsed: boolean;
}

export interface CodeRecord extends Omit<FamilyRecord, "id" | "revoked" | "voidedAt"> {
  readonly familyId: string | undefined;
  readonly spentAt: Date | undefined;
}

/** A signing key, retired ones included. */
interface KeyRecord {
  readonly state: string;
  /** Public members, JSON. */
  readonly publicJwk: string;
}

/** Stored tokens, ended ones included, until they are swept. For explanations only; no endpoint decides by it. */
export interface TokenRecordRepository {
  findFamily(id: string): Promise<FamilyRecord | undefined>;
  findRefreshToken(digest: Buffer): Promise<RefreshTokenRecord | undefined>;
  findCode(digest: Buffer): Promise<CodeRecord | undefined>;
  findKey(keyId: string): Promise<KeyRecord | undefined>;
}

const instant = (at: number | null): Date | undefined => (at === null ? undefined : new Date(at));

export const tokenRecordRepository = (db: Database<SignOnTables>): TokenRecordRepository => ({
  async findFamily(id) {
    const row = await db
      .selectFrom("sign_on_token_families as family")
      .innerJoin("sign_on_applications as application", "application.id", "family.application_id")
      .selectAll("family")
      .select("application.issues_void_until")
      .where("family.id", "=", id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const voidedAt = instant(row.issues_void_until);
    const issuedAt = new Date(row.issued_at);
    return {
      id: row.id,
      applicationId: row.application_id as ApplicationId,
      instanceId: row.instance_id as InstanceId,
      personId: row.person_id as PersonId,
      scopes: JSON.parse(row.scopes) as string[],
      authenticatedAt: new Date(row.authenticated_at),
      issuedAt,
      expiresAt: new Date(row.expires_at),
      revoked:
        row.revoked_at === null ? undefined : { at: new Date(row.revoked_at), because: row.revoked_because ?? "" },
      voidedAt: voidedAt !== undefined && voidedAt >= issuedAt ? voidedAt : undefined,
    };
  },
  async findRefreshToken(digest) {
    const row = await db
      .selectFrom("sign_on_refresh_tokens")
      .select(["family_id", "issued_at", "expires_at", "rotated_at", "successor_salt"])
      .where("digest", "=", digest)
      .executeTakeFirst();
    return (
      row && {
        familyId: row.family_id,
        issuedAt: new Date(row.issued_at),
        expiresAt: new Date(row.expires_at),
        rotatedAt: instant(row.rotated_at),
        successorUsed: row.rotated_at !== null && row.successor_salt === null,
      }
    );
  },
  async findCode(digest) {
    const row = await db
      .selectFrom("sign_on_authorization_codes")
      .selectAll()
      .where("digest", "=", digest)
      .executeTakeFirst();
    return (
      row && {
        applicationId: row.application_id as ApplicationId,
        instanceId: row.instance_id as InstanceId,
        personId: row.person_id as PersonId,
        scopes: JSON.parse(row.scopes) as string[],
        authenticatedAt: new Date(row.authenticated_at),
        issuedAt: new Date(row.issued_at),
        expiresAt: new Date(row.expires_at),
        familyId: row.family_id ?? undefined,
        spentAt: instant(row.spent_at),
      }
    );
  },
  async findKey(keyId) {
    const row = await db
      .selectFrom("sign_on_signing_keys")
      .select(["state", "public_jwk"])
      .where("key_id", "=", keyId)
      .executeTakeFirst();
    return row && { state: row.state, publicJwk: row.public_jwk };
  },
});
