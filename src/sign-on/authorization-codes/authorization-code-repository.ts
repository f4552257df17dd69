import { sql } from "kysely";
import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import { type Scope, WITH_OFFLINE_ACCESS } from "../claims/scopes.ts";
import type { FamiliesTable, SignOnTables } from "../tables.ts";
import { firstNumberAt } from "../token-numbers/family-number.ts";

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

/** What a code becomes: its family's first refresh token, and the end of all tokens of the family. */
interface Redemption {
  readonly at: Date;
  readonly tokenDigest: Buffer;
  readonly tokenExpiresAt: Date;
  readonly familyEndsAt: Date;
}

export interface AuthorizationCodeRepository {
  find(number: number): Promise<StoredAuthorizationCode | undefined>;
  /** `false` when a family has the number already. */
  create(tx: Transaction<SignOnTables>, code: AuthorizationCode): Promise<boolean>;
  /**
   * The same for a session that has not ended and a consent that is as it was read; `false` also when they are not. One
   * statement: whoever ends the session or withdraws the consent waits for it, or it sees that.
   */
  createFor(
    db: Database<SignOnTables>,
    code: AuthorizationCode,
    approved: readonly string[] | undefined,
  ): Promise<boolean>;
  /**
   * Turns the code into its family: one conditional update whose row count decides, so of any number of parallel
   * attempts one gets `true` (R-S11, S20).
   */
  redeem(db: Database<SignOnTables>, code: RedeemedCode, redemption: Redemption): Promise<boolean>;
  /** True when a code was issued at or after `start` and before `end`. */
  wasIssuedBetween(start: Date, end: Date): Promise<boolean>;
  /** Marks unused codes issued since `since` that have expired at `at`, oldest first; returns how many. */
  expire(tx: Transaction<SignOnTables>, since: Date, at: Date, limit: number): Promise<number>;
  /** Lets the person's unspent codes expire. */
  expireAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date): Promise<void>;
  /** Lets the session's unspent codes expire, except those with `offline_access` (R-S8). */
  expireOfSession(tx: Transaction<SignOnTables>, session: CodeSession, at: Date): Promise<void>;
  /** Lets the unspent codes of one application on one instance expire. */
  expireOfAccess(tx: Transaction<SignOnTables>, access: CodeAccess, at: Date): Promise<void>;
  /** Lets the application's unspent codes expire. */
  expireAllOfApplication(tx: Transaction<SignOnTables>, applicationId: ApplicationId, at: Date): Promise<void>;
}

/** What a redemption has to agree with. */
type RedeemedCode = Pick<AuthorizationCode, "number" | "digest" | "applicationId" | "redirectUri">;

/** The person, application and instance of codes. */
type CodeAccess = Pick<AuthorizationCode, "personId" | "applicationId" | "instanceId">;

/** The session that codes were issued from, and its person. */
interface CodeSession {
  readonly digest: Buffer;
  readonly personId: PersonId;
}

/** A code lives ten minutes at most (R-S9). */
const LIFE_MAX_MS = 600_000;

type NewCodeRow = Omit<
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

export const authorizationCodeRepository = (db: Database<SignOnTables>): AuthorizationCodeRepository => {
  const byNumber = prepared(db, (value: ValueOf<{ number: number }>) =>
    db.selectFrom("sign_on_families").selectAll().where("number", "=", value("number")),
  );
  const insert = preparedWrite((value: ValueOf<NewCodeRow>) =>
    db
      .insertInto("sign_on_families")
      .values(newRow(value))
      .onConflict((conflict) => conflict.column("number").doNothing()),
  );
  /** Locks what allows the code, on PostgreSQL, until the code is there. */
  const insertFor = (withConsent: boolean) =>
    preparedWrite((value: ValueOf<NewCodeRow & { approved: string }>) => {
      const session = db
        .selectFrom("sign_on_sessions as session")
        .where("session.digest", "=", value("session_digest"))
        .where("session.ended_at", "is", null)
        .$if(withConsent, (query) =>
          query
            .innerJoin("sign_on_consents as consent", "consent.person_id", "session.person_id")
            .where("consent.application_id", "=", value("application_id"))
            .where("consent.instance_id", "=", value("instance_id"))
            .where("consent.scopes", "=", value("approved")),
        )
        .select("session.digest");
      const row = newRow(value);
      const names = Object.keys(row) as (keyof typeof row)[];
      return db
        .with("allowed", () => (isSqlite(db) ? session : session.forShare()))
        .insertInto("sign_on_families")
        .columns(names)
        .expression((of) =>
          of
            .selectFrom("allowed")
            .select(names.map((name) => sql`${row[name]}`.as(name)))
            .where(sql.lit(1), "=", sql.lit(1)),
        )
        .onConflict((conflict) => conflict.column("number").doNothing());
    });
  const insertForSession = insertFor(false);
  const insertForConsent = insertFor(true);
  const redeem = preparedWrite(
    (
      value: ValueOf<{
        number: number;
        digest: Buffer;
        applicationId: string;
        redirectUri: string;
        at: number;
        tokenDigest: Buffer;
        tokenExpiresAt: number;
        familyEndsAt: number;
      }>,
    ) =>
      db
        .updateTable("sign_on_families")
        .set({
          generation: 1,
          token_digest: value("tokenDigest"),
          issued_at: value("at"),
          expires_at: value("tokenExpiresAt"),
          redeemed_at: value("at"),
          ends_at: value("familyEndsAt"),
          nonce: null,
          code_challenge: null,
        })
        .where("number", "=", value("number"))
        .where("generation", "=", 0)
        .where("token_digest", "=", value("digest"))
        .where("expires_at", ">", value("at"))
        .where("application_id", "=", value("applicationId"))
        .where("redirect_uri", "=", value("redirectUri")),
  );
  /** Lets codes expire, of those to be named that have not yet. */
  const expiring = (tx: Transaction<SignOnTables>, at: Date) =>
    tx
      .updateTable("sign_on_families")
      .set({ expires_at: at.getTime() })
      .where("generation", "=", 0)
      .where("expires_at", ">", at.getTime());
  return {
    async find(number) {
      const row = await byNumber.first({ number });
      return row === undefined ? undefined : toCode(row);
    },
    create: async (tx, code) => (await insert(tx, toRow(code))) === 1,
    async createFor(within, code, approved) {
      const row = toRow(code);
      const inserted =
        approved === undefined
          ? insertForSession(within, { ...row, approved: "" })
          : insertForConsent(within, { ...row, approved: JSON.stringify(approved) });
      return (await inserted) === 1;
    },
    async redeem(tx, { number, digest, applicationId, redirectUri }, redemption) {
      const changed = await redeem(tx, {
        number,
        digest,
        applicationId,
        redirectUri,
        at: redemption.at.getTime(),
        tokenDigest: redemption.tokenDigest,
        tokenExpiresAt: redemption.tokenExpiresAt.getTime(),
        familyEndsAt: redemption.familyEndsAt.getTime(),
      });
      return changed === 1;
    },
    async wasIssuedBetween(start, end) {
      const row = await db
        .selectFrom("sign_on_families")
        .select("number")
        .where("number", ">=", firstNumberAt(start))
        .where("number", "<", firstNumberAt(end))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async expire(tx, since, at, limit) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_families")
        .set({ expired_at: at.getTime() })
        .where("number", "in", (select) =>
          select
            .selectFrom("sign_on_families")
            .select("number")
            .where("number", ">=", firstNumberAt(since))
            .where("generation", "=", 0)
            .where("expired_at", "is", null)
            .where("expires_at", "<=", at.getTime())
            .orderBy("number")
            .limit(limit),
        )
        // Checked again: under PostgreSQL, a row may have changed since the inner query read it.
        .where("generation", "=", 0)
        .where("expired_at", "is", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async expireAllOf(tx, personId, at) {
      await expiring(tx, at).where("person_id", "=", personId).execute();
    },
    async expireOfSession(tx, { digest, personId }, at) {
      await expiring(tx, at)
        .where("person_id", "=", personId)
        .where("session_digest", "=", digest)
        .where("scopes", "not like", WITH_OFFLINE_ACCESS)
        .execute();
    },
    async expireOfAccess(tx, { personId, applicationId, instanceId }, at) {
      await expiring(tx, at)
        .where("person_id", "=", personId)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
        .execute();
    },
    async expireAllOfApplication(tx, applicationId, at) {
      await expiring(tx, at)
        // No older code lives; the numbers are the index.
        .where("number", ">=", firstNumberAt(new Date(at.getTime() - LIFE_MAX_MS)))
        .where("application_id", "=", applicationId)
        .execute();
    },
  };
};

/** The row of a new code. */
const newRow = (value: ValueOf<NewCodeRow>): FamiliesTable => ({
  number: value("number"),
  application_id: value("application_id"),
  redirect_uri: value("redirect_uri"),
  instance_id: value("instance_id"),
  person_id: value("person_id"),
  session_digest: value("session_digest"),
  scopes: value("scopes"),
  claims: value("claims"),
  nonce: value("nonce"),
  code_challenge: value("code_challenge"),
  authenticated_at: value("authenticated_at"),
  generation: 0,
  token_digest: value("token_digest"),
  issued_at: value("issued_at"),
  expires_at: value("expires_at"),
  redeemed_at: null,
  ends_at: null,
  replaced_at: null,
  // As long as what replaces them, so that the row does not grow and its page is not divided.
  successor_salt: value("token_digest"),
  successor_scopes: value("scopes"),
  expired_at: null,
  revoked_at: null,
  revoked_because: null,
});

const toRow = (code: AuthorizationCode): NewCodeRow => ({
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

const toCode = (row: FamiliesTable): StoredAuthorizationCode => ({
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
