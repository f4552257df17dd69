import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import { type Scope, WITH_OFFLINE_ACCESS } from "../claims/scopes.ts";
import type { AuthorizationCodesTable, SignOnTables } from "../tables.ts";

/** An authorization code; stored under its digest. */
export interface AuthorizationCode {
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

/** A stored code and whether it was spent. */
interface StoredAuthorizationCode extends AuthorizationCode {
  /** The family made when it was spent; `undefined` while it is unspent. */
  readonly familyId: string | undefined;
}

export interface AuthorizationCodeRepository {
  find(digest: Buffer): Promise<StoredAuthorizationCode | undefined>;
  create(tx: Transaction<SignOnTables>, code: AuthorizationCode): Promise<void>;
  /**
   * Spends the code for a family: one conditional update whose row count decides, so of any number of parallel attempts one gets `true`
   * (R-S11, S20).
   */
  spend(tx: Transaction<SignOnTables>, code: AuthorizationCode, familyId: string, at: Date): Promise<boolean>;
  /** True when a code was issued at or after `start` and before `end`. */
  wasIssuedBetween(start: Date, end: Date): Promise<boolean>;
  /** Marks unused codes that have expired at `at`, oldest first; returns how many. */
  expire(tx: Transaction<SignOnTables>, at: Date, limit: number): Promise<number>;
  /** Lets the person's unspent codes expire. */
  expireAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date): Promise<void>;
  /** Lets the session's unspent codes expire, except those with `offline_access` (R-S8). */
  expireOfSession(tx: Transaction<SignOnTables>, session: CodeSession, at: Date): Promise<void>;
  /** Lets the unspent codes of one application on one instance expire. */
  expireOfAccess(tx: Transaction<SignOnTables>, access: CodeAccess, at: Date): Promise<void>;
  /** Moves the unspent codes of one session to another. */
  moveToSession(tx: Transaction<SignOnTables>, from: CodeSession, to: Buffer): Promise<void>;
  /** Lets the application's unspent codes expire. */
  expireAllOfApplication(tx: Transaction<SignOnTables>, applicationId: ApplicationId, at: Date): Promise<void>;
}

/** The person, application and instance of codes. */
type CodeAccess = Pick<AuthorizationCode, "personId" | "applicationId" | "instanceId">;

/** The session that codes were issued from, and its person. */
interface CodeSession {
  readonly digest: Buffer;
  readonly personId: PersonId;
}

type NewCodeRow = Omit<AuthorizationCodesTable, "spent_at" | "family_id" | "expired_at">;

export const authorizationCodeRepository = (db: Database<SignOnTables>): AuthorizationCodeRepository => {
  const byDigest = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db.selectFrom("sign_on_authorization_codes").selectAll().where("digest", "=", value("digest")),
  );
  const insert = preparedWrite((value: ValueOf<NewCodeRow>) =>
    db.insertInto("sign_on_authorization_codes").values({
      digest: value("digest"),
      application_id: value("application_id"),
      redirect_uri: value("redirect_uri"),
      instance_id: value("instance_id"),
      person_id: value("person_id"),
      session_digest: value("session_digest"),
      scopes: value("scopes"),
      nonce: value("nonce"),
      code_challenge: value("code_challenge"),
      authenticated_at: value("authenticated_at"),
      issued_at: value("issued_at"),
      expires_at: value("expires_at"),
      claims: value("claims"),
      spent_at: null,
      family_id: null,
      expired_at: null,
    }),
  );
  const spend = preparedWrite(
    (value: ValueOf<{ digest: Buffer; applicationId: string; redirectUri: string; familyId: string; at: number }>) =>
      db
        .updateTable("sign_on_authorization_codes")
        .set({ spent_at: value("at"), family_id: value("familyId") })
        .where("digest", "=", value("digest"))
        .where("spent_at", "is", null)
        .where("expires_at", ">", value("at"))
        .where("application_id", "=", value("applicationId"))
        .where("redirect_uri", "=", value("redirectUri")),
  );
  return {
    async find(digest) {
      const row = await byDigest.first({ digest });
      return row === undefined ? undefined : toCode(row);
    },
    async create(tx, code) {
      await insert(tx, {
        digest: code.digest,
        application_id: code.applicationId,
        redirect_uri: code.redirectUri,
        instance_id: code.instanceId,
        person_id: code.personId,
        session_digest: code.sessionDigest,
        scopes: JSON.stringify(code.scopes),
        nonce: code.nonce ?? null,
        code_challenge: code.codeChallenge ?? null,
        authenticated_at: code.authenticatedAt.getTime(),
        issued_at: code.issuedAt.getTime(),
        expires_at: code.expiresAt.getTime(),
        claims: JSON.stringify(code.claims),
      });
    },
    async spend(tx, { digest, applicationId, redirectUri }, familyId, at) {
      return (await spend(tx, { digest, applicationId, redirectUri, familyId, at: at.getTime() })) === 1;
    },
    async wasIssuedBetween(start, end) {
      const row = await db
        .selectFrom("sign_on_authorization_codes")
        .select("issued_at")
        .where("issued_at", ">=", start.getTime())
        .where("issued_at", "<", end.getTime())
        .orderBy("issued_at")
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async expire(tx, at, limit) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_authorization_codes")
        .set({ expired_at: at.getTime() })
        .where("digest", "in", (select) =>
          select
            .selectFrom("sign_on_authorization_codes")
            .select("digest")
            .where("spent_at", "is", null)
            .where("expired_at", "is", null)
            .where("expires_at", "<=", at.getTime())
            .orderBy("expires_at")
            .limit(limit),
        )
        // Checked again: under PostgreSQL, a row may have changed since the inner query read it.
        .where("spent_at", "is", null)
        .where("expired_at", "is", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async expireAllOf(tx, personId, at) {
      await tx
        .updateTable("sign_on_authorization_codes")
        .set({ expires_at: at.getTime() })
        .where("person_id", "=", personId)
        .where("spent_at", "is", null)
        .where("expires_at", ">", at.getTime())
        .execute();
    },
    async expireOfSession(tx, { digest, personId }, at) {
      await tx
        .updateTable("sign_on_authorization_codes")
        .set({ expires_at: at.getTime() })
        .where("person_id", "=", personId)
        .where("spent_at", "is", null)
        .where("session_digest", "=", digest)
        .where("expires_at", ">", at.getTime())
        .where("scopes", "not like", WITH_OFFLINE_ACCESS)
        .execute();
    },
    async expireOfAccess(tx, { personId, applicationId, instanceId }, at) {
      await tx
        .updateTable("sign_on_authorization_codes")
        .set({ expires_at: at.getTime() })
        .where("person_id", "=", personId)
        .where("spent_at", "is", null)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
        .where("expires_at", ">", at.getTime())
        .execute();
    },
    async moveToSession(tx, { digest, personId }, to) {
      await tx
        .updateTable("sign_on_authorization_codes")
        .set({ session_digest: to })
        .where("person_id", "=", personId)
        .where("spent_at", "is", null)
        .where("session_digest", "=", digest)
        .execute();
    },
    async expireAllOfApplication(tx, applicationId, at) {
      await tx
        .updateTable("sign_on_authorization_codes")
        .set({ expires_at: at.getTime() })
        .where("application_id", "=", applicationId)
        .where("spent_at", "is", null)
        .where("expires_at", ">", at.getTime())
        .execute();
    },
  };
};

const toCode = (row: AuthorizationCodesTable): StoredAuthorizationCode => ({
  digest: row.digest,
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
  familyId: row.family_id ?? undefined,
});
