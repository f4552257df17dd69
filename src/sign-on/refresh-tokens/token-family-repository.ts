import { type ExpressionBuilder, sql } from "kysely";
import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";
import type { IssuingSession, PersonalAccess } from "../personal-access.ts";
import type { FamiliesTable, SignOnTables } from "../tables.ts";
import type { NumberedTokens } from "../token-numbers/numbered-tokens.ts";
import type { CurrentToken, Replacement, TokenFamily } from "./token-family.ts";

export interface TokenFamilyRepository {
  /** The family, ended or not; `undefined` for a code that was not redeemed. */
  find(number: number): Promise<TokenFamily | undefined>;
  /**
   * The family, unless it is revoked, expired or voided with its application; its tokens are valid only while it is
   * (R-S11).
   */
  findLive(number: number, now: Date): Promise<TokenFamily | undefined>;
  /** The number of an access token's family, by the token's id. */
  numberBehind(accessTokenId: string): Promise<number | undefined>;
  /** The live family of an access token, unless that token itself was revoked (R-S20). One read. */
  findLiveBehind(accessTokenId: string, now: Date): Promise<TokenFamily | undefined>;
  /**
   * Replaces the current refresh token: one conditional update whose row count decides (S24). The salt of the
   * replacement before is gone with it, so that the store and an old token together do not give the current one.
   */
  replace(
    db: Database<SignOnTables>,
    family: TokenFamily,
    replacement: Replacement,
    successor: CurrentToken,
  ): Promise<boolean>;
  /** The applications that have living tokens of the person, with instance, scopes and the earliest instant. */
  listAccessesOf(personId: PersonId, now: Date): Promise<readonly LiveAccess[]>;
  /** Moves the families of one session to another, those too that are codes yet. */
  moveToSession(tx: Transaction<SignOnTables>, from: IssuingSession, to: Buffer): Promise<void>;
}

/** The condition under which an application's tokens are valid. */
interface LiveAccess extends Omit<PersonalAccess, "personId"> {
  readonly scopes: readonly Scope[];
  readonly since: Date;
}

interface TokenFamilyRepositoryDeps {
  readonly db: Database<SignOnTables>;
  readonly tokens: Pick<NumberedTokens, "idOf" | "numberOf">;
  /** Of ids from before families had numbers. */
  readonly earlier: { findNumber(familyId: string): Promise<number | undefined> };
}

/** Redeemed, neither revoked nor expired, and issued for an application that has not been disabled since. */
const liveFamily = (db: Database<SignOnTables>, value: ValueOf<{ number: number; now: number }>) =>
  db
    .selectFrom("sign_on_families")
    .selectAll()
    .where("number", "=", value("number"))
    .where("generation", ">", 0)
    .where("revoked_at", "is", null)
    .where("ends_at", ">", value("now"))
    .where(isNotVoid);

/** Disabling an application voids all its families, also one being issued at that moment. */
const isNotVoid = ({ not, exists, selectFrom }: ExpressionBuilder<SignOnTables, "sign_on_families">) =>
  not(
    exists(
      selectFrom("sign_on_applications as application")
        .select("application.id")
        .whereRef("application.id", "=", "sign_on_families.application_id")
        .where(({ eb, or }) =>
          or([
            eb("application.disabled_at", "is not", null),
            eb("application.issues_void_until", ">=", eb.ref("sign_on_families.redeemed_at")),
          ]),
        ),
    ),
  );

/** Whether the last access token that a family can have given may live yet: a repeat gets one later than the refresh token. */
const mayHaveAccessToken = ({ exists, selectFrom }: ExpressionBuilder<SignOnTables, "sign_on_families">, now: Date) =>
  exists(
    selectFrom("sign_on_applications as application")
      .select("application.id")
      .whereRef("application.id", "=", "sign_on_families.application_id")
      .where(
        sql<number>`sign_on_families.issued_at
          + (application.access_token_seconds + application.refresh_repeat_seconds) * 1000`,
        ">",
        now.getTime(),
      ),
  );

export const tokenFamilyRepository = ({ db, tokens, earlier }: TokenFamilyRepositoryDeps): TokenFamilyRepository => {
  const live = prepared(db, (value: ValueOf<{ number: number; now: number }>) => liveFamily(db, value));
  const byNumber = prepared(db, (value: ValueOf<{ number: number }>) =>
    db.selectFrom("sign_on_families").selectAll().where("number", "=", value("number")).where("generation", ">", 0),
  );
  const behind = prepared(db, (value: ValueOf<{ number: number; accessTokenId: string; now: number }>) =>
    liveFamily(db, value).where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sign_on_revoked_access_tokens").select("token_id").where("token_id", "=", value("accessTokenId")),
        ),
      ),
    ),
  );
  const replace = preparedWrite(
    (
      value: ValueOf<{
        number: number;
        generation: number;
        digest: Buffer;
        successorDigest: Buffer;
        expiresAt: number;
        at: number;
        salt: Buffer;
        scopes: string;
        next: number;
      }>,
    ) =>
      db
        .updateTable("sign_on_families")
        .set({
          generation: value("next"),
          token_digest: value("successorDigest"),
          issued_at: value("at"),
          expires_at: value("expiresAt"),
          replaced_at: value("at"),
          successor_salt: value("salt"),
          successor_scopes: value("scopes"),
        })
        .where("number", "=", value("number"))
        .where("generation", "=", value("generation"))
        .where("token_digest", "=", value("digest"))
        .where("expires_at", ">", value("at")),
  );
  const toFamily = (row: FamiliesTable | undefined): TokenFamily | undefined =>
    row && {
      number: row.number,
      id: tokens.idOf(row.number),
      applicationId: row.application_id as ApplicationId,
      instanceId: row.instance_id as InstanceId,
      personId: row.person_id as PersonId,
      sessionDigest: row.session_digest,
      scopes: JSON.parse(row.scopes) as Scope[],
      userinfoClaims: (JSON.parse(row.claims) as RequestedClaims).userinfo,
      authenticatedAt: new Date(row.authenticated_at),
      issuedAt: new Date(row.redeemed_at ?? 0),
      expiresAt: new Date(row.ends_at ?? 0),
      generation: row.generation,
      current: { digest: row.token_digest, issuedAt: new Date(row.issued_at), expiresAt: new Date(row.expires_at) },
      replacement: toReplacement(row),
    };
  const numberBehind = async (accessTokenId: string): Promise<number | undefined> => {
    // It begins with its family's id, before the dot (decision 0010).
    const id = accessTokenId.split(".", 1)[0] ?? "";
    return tokens.numberOf(id) ?? earlier.findNumber(id);
  };
  return {
    async find(number) {
      return toFamily(await byNumber.first({ number }));
    },
    async findLive(number, now) {
      return toFamily(await live.first({ number, now: now.getTime() }));
    },
    numberBehind,
    async findLiveBehind(accessTokenId, now) {
      const number = await numberBehind(accessTokenId);
      if (number === undefined) return undefined;
      return toFamily(await behind.first({ number, accessTokenId, now: now.getTime() }));
    },
    async replace(tx, { number, generation, current }, { at, salt, scopes }, successor) {
      const changed = await replace(tx, {
        number,
        generation,
        next: generation + 1,
        digest: current.digest,
        successorDigest: successor.digest,
        expiresAt: successor.expiresAt.getTime(),
        at: at.getTime(),
        salt,
        scopes: JSON.stringify(scopes),
      });
      return changed === 1;
    },
    async listAccessesOf(personId, now) {
      const rows = await db
        .selectFrom("sign_on_families")
        .select(["application_id", "instance_id", "scopes"])
        .select(({ fn }) => fn.min("redeemed_at").as("since"))
        .where("person_id", "=", personId)
        .where("generation", ">", 0)
        .where("revoked_at", "is", null)
        .where("ends_at", ">", now.getTime())
        .where((family) => family.or([family("expires_at", ">", now.getTime()), mayHaveAccessToken(family, now)]))
        .where(isNotVoid)
        .groupBy(["application_id", "instance_id", "scopes"])
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id as ApplicationId,
        instanceId: row.instance_id as InstanceId,
        scopes: JSON.parse(row.scopes) as Scope[],
        since: new Date(Number(row.since)),
      }));
    },
    async moveToSession(tx, { digest, personId }, to) {
      await tx
        .updateTable("sign_on_families")
        .set({ session_digest: to })
        .where("person_id", "=", personId)
        .where("session_digest", "=", digest)
        .where("revoked_at", "is", null)
        .execute();
    },
  };
};

const toReplacement = (row: FamiliesTable): Replacement | undefined =>
  row.replaced_at === null
    ? undefined
    : {
        at: new Date(row.replaced_at),
        salt: row.successor_salt,
        scopes: JSON.parse(row.successor_scopes) as Scope[],
      };
