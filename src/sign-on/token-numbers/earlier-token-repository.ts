import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { SignOnTables } from "../tables.ts";
import { NOWHERE, type TokenPlace } from "./numbered-tokens.ts";

/**
 * Codes, refresh tokens and ids of families from before families had numbers. Migration 12 numbered what lived and
 * copied it; the earlier tables lead from a digest or id to the number until they are swept.
 */
export interface EarlierTokenRepository {
  /** By the digest of a code; `NOWHERE` for an unknown one. */
  findCode(digest: Buffer): Promise<TokenPlace>;
  /** By the digest of a refresh token; `NOWHERE` for an unknown one. */
  findRefreshToken(digest: Buffer): Promise<TokenPlace>;
  /** By a family's id, as access tokens and audit log have it. */
  findNumber(familyId: string): Promise<number | undefined>;
}

/** The generation that the migration gave to the refresh token that was good; the one that it had replaced comes before. */
const COPIED = 2;

/** True for a text that has the earlier form: 256 random bits. */
export const isEarlierForm = (secret: string): boolean => secret.length === 43;

export const earlierTokenRepository = (db: Database<SignOnTables>): EarlierTokenRepository => {
  const codeOf = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db
      .selectFrom("sign_on_authorization_codes as code")
      .leftJoin("sign_on_token_families as family", "family.id", "code.family_id")
      .select(({ fn }) => fn.coalesce("code.number", "family.number").as("number"))
      .where("code.digest", "=", value("digest")),
  );
  const refreshTokenOf = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db
      .selectFrom("sign_on_refresh_tokens as token")
      .innerJoin("sign_on_token_families as family", "family.id", "token.family_id")
      .leftJoin("sign_on_refresh_tokens as last", (join) =>
        join.onRef("last.family_id", "=", "family.id").on("last.rotated_at", "is", null),
      )
      .select(["family.number", "token.rotated_at", "last.predecessor_digest"])
      .where("token.digest", "=", value("digest")),
  );
  const familyOf = prepared(db, (value: ValueOf<{ id: string }>) =>
    db.selectFrom("sign_on_token_families").select("number").where("id", "=", value("id")),
  );
  return {
    async findCode(digest) {
      const row = await codeOf.first({ digest });
      return placeOf(row?.number, 0);
    },
    async findRefreshToken(digest) {
      const row = await refreshTokenOf.first({ digest });
      if (row === undefined) return NOWHERE;
      if (row.rotated_at === null) return placeOf(row.number, COPIED);
      return placeOf(row.number, row.predecessor_digest?.equals(digest) ? COPIED - 1 : COPIED - 2);
    },
    async findNumber(id) {
      return (await familyOf.first({ id }))?.number ?? undefined;
    },
  };
};

const placeOf = (number: number | null | undefined, generation: number): TokenPlace =>
  number === null || number === undefined ? NOWHERE : { number, generation };
