import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { RequestableClaim } from "../claims/requested-claims.ts";
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
  /** Single claims that userinfo returns besides those of the scopes (OIDC Core §5.5). */
  readonly userinfoClaims: readonly RequestableClaim[];
  readonly authenticatedAt: Date;
  readonly issuedAt: Date;
  /** Absolute limit: every token of the family is invalid from here on. */
  readonly expiresAt: Date;
}

export interface TokenFamilyRepository {
  /**
   * The family, unless it is revoked, expired or voided with its application; its tokens are valid only while it is
   * (R-S11).
   */
  findLive(id: string, now: Date): Promise<TokenFamily | undefined>;
  /** The live family of an access token, unless that token itself was revoked (R-S20). One read. */
  findLiveBehind(accessTokenId: string, now: Date): Promise<TokenFamily | undefined>;
  create(tx: Transaction<SignOnTables>, family: TokenFamily): Promise<void>;
  /** False when it was already revoked. */
  revokeAccessToken(tx: Transaction<SignOnTables>, accessTokenId: string, expiresAt: Date, at: Date): Promise<boolean>;
  revoke(tx: Transaction<SignOnTables>, id: string, because: string, at: Date): Promise<boolean>;
  revokeAllOf(tx: Transaction<SignOnTables>, personId: PersonId, because: string, at: Date): Promise<void>;
  /** Revokes the session's families, except those with `offline_access`, which outlive it (R-S8). */
  revokeOfSession(tx: Transaction<SignOnTables>, sessionDigest: Buffer, because: string, at: Date): Promise<void>;
  /** Revokes the families of one application on one instance; returns how many. */
  revokeOfAccess(tx: Transaction<SignOnTables>, access: FamilyAccess, because: string, at: Date): Promise<number>;
  /** The applications that have live families of the person, with instance, scopes and the earliest instant. */
  listAccessesOf(personId: PersonId, now: Date): Promise<readonly LiveAccess[]>;
  /** Moves the families of one session to another. */
  moveToSession(tx: Transaction<SignOnTables>, from: Buffer, to: Buffer): Promise<void>;
}

/** The person, application and instance of tokens. */
interface FamilyAccess {
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
}

/** The condition under which an application's tokens are valid. */
interface LiveAccess extends Omit<FamilyAccess, "personId"> {
  readonly scopes: readonly Scope[];
  readonly since: Date;
}

/** Neither revoked nor expired, and issued for an application that has not been disabled since. */
const liveFamily = (db: Database<SignOnTables>, value: ValueOf<{ id: string; now: number }>) =>
  db
    .selectFrom("sign_on_token_families")
    .selectAll()
    .where("id", "=", value("id"))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", value("now"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sign_on_applications as application")
            .select("application.id")
            .whereRef("application.id", "=", "sign_on_token_families.application_id")
            // Disabling an application voids all its families, also one being issued at that moment.
            .where(({ eb, or }) =>
              or([
                eb("application.disabled_at", "is not", null),
                eb("application.issues_void_until", ">=", eb.ref("sign_on_token_families.issued_at")),
              ]),
            ),
        ),
      ),
    );

export const tokenFamilyRepository = (db: Database<SignOnTables>): TokenFamilyRepository => {
  const live = prepared(db, (value: ValueOf<{ id: string; now: number }>) => liveFamily(db, value));
  const behind = prepared(db, (value: ValueOf<{ id: string; accessTokenId: string; now: number }>) =>
    liveFamily(db, value).where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sign_on_revoked_access_tokens").select("token_id").where("token_id", "=", value("accessTokenId")),
        ),
      ),
    ),
  );
  const insert = preparedWrite((value: ValueOf<Omit<TokenFamiliesTable, "revoked_at" | "revoked_because">>) =>
    db.insertInto("sign_on_token_families").values({
      id: value("id"),
      application_id: value("application_id"),
      instance_id: value("instance_id"),
      person_id: value("person_id"),
      session_digest: value("session_digest"),
      scopes: value("scopes"),
      authenticated_at: value("authenticated_at"),
      issued_at: value("issued_at"),
      expires_at: value("expires_at"),
      userinfo_claims: value("userinfo_claims"),
      revoked_at: null,
      revoked_because: null,
    }),
  );
  return {
    async findLive(id, now) {
      const row = await live.first({ id, now: now.getTime() });
      return row === undefined ? undefined : toFamily(row);
    },
    async findLiveBehind(accessTokenId, now) {
      const row = await behind.first({ id: familyIdOf(accessTokenId), accessTokenId, now: now.getTime() });
      return row === undefined ? undefined : toFamily(row);
    },
    async revokeAccessToken(tx, accessTokenId, expiresAt, at) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("sign_on_revoked_access_tokens")
        .values({ token_id: accessTokenId, revoked_at: at.getTime(), expires_at: expiresAt.getTime() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    async create(tx, family) {
      await insert(tx, {
        id: family.id,
        application_id: family.applicationId,
        instance_id: family.instanceId,
        person_id: family.personId,
        session_digest: family.sessionDigest,
        scopes: JSON.stringify(family.scopes),
        authenticated_at: family.authenticatedAt.getTime(),
        issued_at: family.issuedAt.getTime(),
        expires_at: family.expiresAt.getTime(),
        userinfo_claims: JSON.stringify(family.userinfoClaims),
      });
    },
    async revoke(tx, id, because, at) {
      const { numUpdatedRows } = await revoking(tx, because, at).where("id", "=", id).executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async revokeAllOf(tx, personId, because, at) {
      await revoking(tx, because, at).where("person_id", "=", personId).execute();
    },
    async revokeOfSession(tx, sessionDigest, because, at) {
      await revoking(tx, because, at)
        .where("session_digest", "=", sessionDigest)
        .where("scopes", "not like", WITH_OFFLINE_ACCESS)
        .execute();
    },
    async revokeOfAccess(tx, { personId, applicationId, instanceId }, because, at) {
      const { numUpdatedRows } = await revoking(tx, because, at)
        .where("person_id", "=", personId)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
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

/** Revokes those families, of the ones to be named, that are not revoked yet: the first cause stays. */
const revoking = (tx: Transaction<SignOnTables>, because: string, at: Date) =>
  tx
    .updateTable("sign_on_token_families")
    .set({ revoked_at: at.getTime(), revoked_because: because })
    .where("revoked_at", "is", null);

/** An access token's id begins with its family's, before the dot (decision 0010). */
const familyIdOf = (accessTokenId: string): string => accessTokenId.split(".", 1)[0] ?? "";

const toFamily = (row: TokenFamiliesTable): TokenFamily => ({
  id: row.id,
  applicationId: row.application_id as ApplicationId,
  instanceId: row.instance_id as InstanceId,
  personId: row.person_id as PersonId,
  sessionDigest: row.session_digest,
  scopes: JSON.parse(row.scopes) as Scope[],
  userinfoClaims: JSON.parse(row.userinfo_claims) as RequestableClaim[],
  authenticatedAt: new Date(row.authenticated_at),
  issuedAt: new Date(row.issued_at),
  expiresAt: new Date(row.expires_at),
});
