import { sql } from "kysely";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { FamiliesTable, SignOnTables } from "../tables.ts";
import type { AuthorizationCode, StoredAuthorizationCode } from "./authorization-code.ts";
import { type NewCodeRow, toCode, toRow } from "./authorization-code-row.ts";

/** What a code becomes: its family's first refresh token, and the end of all tokens of the family. */
interface Redemption {
  readonly at: Date;
  readonly tokenDigest: Buffer;
  readonly tokenExpiresAt: Date;
  readonly familyEndsAt: Date;
}

export interface AuthorizationCodeRepository {
  find(number: number, within?: Transaction<SignOnTables>): Promise<StoredAuthorizationCode | undefined>;
  /** `false` when a family has the number already. */
  create(tx: Transaction<SignOnTables>, code: AuthorizationCode): Promise<boolean>;
  /**
   * Creates the code for a session that has not ended and a consent that is as it was read; `false` when they are not, or a
   * family has the number already. One statement: a transaction that ends the session or withdraws the consent waits for this
   * one, or this one sees its result.
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
}

/** What a redemption has to agree with. */
type RedeemedCode = Pick<AuthorizationCode, "number" | "digest" | "applicationId" | "redirectUri">;

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
  return {
    async find(number, within) {
      const row = await byNumber.first({ number }, within);
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
  };
};

/** The whole row of a new code: values, or where a statement has them. */
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
