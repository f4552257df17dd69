import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { instantIn } from "#runtime/database/rows.ts";
import type { SignOnTables } from "../tables.ts";

/** A token family, ended ones included. */
export interface FamilyRecord {
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

/** A signing key, retired ones included. */
interface KeyRecord {
  readonly state: string;
  /** Public members, JSON. */
  readonly publicJwk: string;
}

/** Stored tokens, ended ones included, until they are swept. For explanations only; no endpoint decides by it. */
export interface TokenRecordRepository {
  /** `undefined` for a code that was not redeemed. */
  findFamily(number: number): Promise<FamilyRecord | undefined>;
  findKey(keyId: string): Promise<KeyRecord | undefined>;
}

export const tokenRecordRepository = (db: Database<SignOnTables>): TokenRecordRepository => ({
  async findFamily(number) {
    const row = await db
      .selectFrom("sign_on_families as family")
      .innerJoin("sign_on_applications as application", "application.id", "family.application_id")
      .selectAll("family")
      .select("application.issues_void_until")
      .where("family.number", "=", number)
      .executeTakeFirst();
    if (row === undefined || row.redeemed_at === null || row.ends_at === null) return undefined;
    const voidedAt = instantIn(row.issues_void_until);
    const issuedAt = new Date(row.redeemed_at);
    return {
      applicationId: row.application_id as ApplicationId,
      instanceId: row.instance_id as InstanceId,
      personId: row.person_id as PersonId,
      scopes: JSON.parse(row.scopes) as string[],
      authenticatedAt: new Date(row.authenticated_at),
      issuedAt,
      expiresAt: new Date(row.ends_at),
      revoked:
        row.revoked_at === null ? undefined : { at: new Date(row.revoked_at), because: row.revoked_because ?? "" },
      voidedAt: voidedAt !== undefined && voidedAt >= issuedAt ? voidedAt : undefined,
    };
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
