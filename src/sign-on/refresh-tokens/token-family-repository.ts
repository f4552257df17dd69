import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { type Scope, WITH_OFFLINE_ACCESS } from "../claims/scopes.ts";
import type { SignOnTables, TokenFamiliesTable } from "../tables.ts";

/** The record behind everything issued from one authorization (RFC 9700 §4.14.2). */
export interface TokenFamily {
  readonly id: string;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
  readonly personId: PersonId;
  readonly sessionDigest: Buffer;
  readonly scopes: readonly Scope[];
  readonly authenticatedAt: Date;
  readonly issuedAt: Date;
  /** Absolute limit: nothing of the family is good from here on. */
  readonly expiresAt: Date;
}

export interface TokenFamilyRepository {
  /** The family while it is neither revoked nor expired: tokens are good only while it is (R-S11). */
  findLive(id: string, now: Date): Promise<TokenFamily | undefined>;
  create(tx: Transaction<SignOnTables>, family: TokenFamily): Promise<void>;
  revoke(tx: Transaction<SignOnTables>, id: string, because: string, at: Date): Promise<boolean>;
  revokeAllOf(tx: Transaction<SignOnTables>, personId: PersonId, because: string, at: Date): Promise<void>;
  /** Revokes what came from the session, but for families with `offline_access`, which outlive it (R-S8). */
  revokeOfSession(tx: Transaction<SignOnTables>, sessionDigest: Buffer, because: string, at: Date): Promise<void>;
  /** Revokes what one application may do on one instance; returns how many. */
  revokeOfAccess(tx: Transaction<SignOnTables>, access: FamilyAccess, because: string, at: Date): Promise<number>;
  /** Which applications have live families of the person, where, with which scopes; the earliest instant of each. */
  listAccessesOf(personId: PersonId, now: Date): Promise<readonly LiveAccess[]>;
  /** Puts the families of one session under another. */
  moveToSession(tx: Transaction<SignOnTables>, from: Buffer, to: Buffer): Promise<void>;
}

/** Whose tokens, for which application, where. */
interface FamilyAccess {
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
}

/** That tokens of an application are good. */
interface LiveAccess extends Omit<FamilyAccess, "personId"> {
  readonly scopes: readonly Scope[];
  readonly since: Date;
}

export const tokenFamilyRepository = (db: Database<SignOnTables>): TokenFamilyRepository => {
  const live = prepared(db, (value: ValueOf<{ id: string; now: number }>) =>
    db
      .selectFrom("sign_on_token_families")
      .selectAll()
      .where("id", "=", value("id"))
      .where("revoked_at", "is", null)
      .where("expires_at", ">", value("now")),
  );
  return {
    async findLive(id, now) {
      const row = await live.first({ id, now: now.getTime() });
      return row === undefined ? undefined : toFamily(row);
    },
    async create(tx, family) {
      await tx
        .insertInto("sign_on_token_families")
        .values({
          id: family.id,
          application_id: family.applicationId,
          instance_id: family.instanceId,
          person_id: family.personId,
          session_digest: family.sessionDigest,
          scopes: JSON.stringify(family.scopes),
          authenticated_at: family.authenticatedAt.getTime(),
          issued_at: family.issuedAt.getTime(),
          expires_at: family.expiresAt.getTime(),
          revoked_at: null,
          revoked_because: null,
        })
        .execute();
    },
    async revoke(tx, id, because, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_token_families")
        .set({ revoked_at: at.getTime(), revoked_because: because })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async revokeAllOf(tx, personId, because, at) {
      await tx
        .updateTable("sign_on_token_families")
        .set({ revoked_at: at.getTime(), revoked_because: because })
        .where("person_id", "=", personId)
        .where("revoked_at", "is", null)
        .execute();
    },
    async revokeOfSession(tx, sessionDigest, because, at) {
      await tx
        .updateTable("sign_on_token_families")
        .set({ revoked_at: at.getTime(), revoked_because: because })
        .where("session_digest", "=", sessionDigest)
        .where("revoked_at", "is", null)
        .where("scopes", "not like", WITH_OFFLINE_ACCESS)
        .execute();
    },
    async revokeOfAccess(tx, { personId, applicationId, instanceId }, because, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_token_families")
        .set({ revoked_at: at.getTime(), revoked_because: because })
        .where("person_id", "=", personId)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async listAccessesOf(personId, now) {
      const rows = await db
        .selectFrom("sign_on_token_families")
        .select(["application_id", "instance_id", "scopes"])
        .select(({ fn }) => fn.min("issued_at").as("since"))
        .where("person_id", "=", personId)
        .where("revoked_at", "is", null)
        .where("expires_at", ">", now.getTime())
        .groupBy(["application_id", "instance_id", "scopes"])
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id as ApplicationId,
        instanceId: row.instance_id as InstanceId,
        scopes: JSON.parse(row.scopes) as Scope[],
        since: new Date(Number(row.since)),
      }));
    },
    async moveToSession(tx, from, to) {
      await tx
        .updateTable("sign_on_token_families")
        .set({ session_digest: to })
        .where("session_digest", "=", from)
        .where("revoked_at", "is", null)
        .execute();
    },
  };
};

const toFamily = (row: TokenFamiliesTable): TokenFamily => ({
  id: row.id,
  applicationId: row.application_id as ApplicationId,
  instanceId: row.instance_id as InstanceId,
  personId: row.person_id as PersonId,
  sessionDigest: row.session_digest,
  scopes: JSON.parse(row.scopes) as Scope[],
  authenticatedAt: new Date(row.authenticated_at),
  issuedAt: new Date(row.issued_at),
  expiresAt: new Date(row.expires_at),
});
