import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { SignOnTables } from "../tables.ts";

/** One link of a family's chain; known by its digest. */
export interface RefreshToken {
  readonly digest: Buffer;
  readonly familyId: string;
  readonly issuedAt: Date;
  /** Idle limit (R-S9). */
  readonly expiresAt: Date;
}

export interface RefreshTokenRepository {
  find(digest: Buffer): Promise<(RefreshToken & { readonly rotated: boolean }) | undefined>;
  create(tx: Transaction<SignOnTables>, token: RefreshToken): Promise<void>;
  /** Marks the token as replaced: one conditional update whose row count decides (S24). */
  rotate(tx: Transaction<SignOnTables>, digest: Buffer, at: Date): Promise<boolean>;
}

export const refreshTokenRepository = (db: Database<SignOnTables>): RefreshTokenRepository => {
  const byDigest = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db.selectFrom("sign_on_refresh_tokens").selectAll().where("digest", "=", value("digest")),
  );
  return {
    async find(digest) {
      const row = await byDigest.first({ digest });
      if (row === undefined) return undefined;
      return {
        digest: row.digest,
        familyId: row.family_id,
        issuedAt: new Date(row.issued_at),
        expiresAt: new Date(row.expires_at),
        rotated: row.rotated_at !== null,
      };
    },
    async create(tx, token) {
      await tx
        .insertInto("sign_on_refresh_tokens")
        .values({
          digest: token.digest,
          family_id: token.familyId,
          issued_at: token.issuedAt.getTime(),
          expires_at: token.expiresAt.getTime(),
          rotated_at: null,
        })
        .execute();
    },
    async rotate(tx, digest, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_refresh_tokens")
        .set({ rotated_at: at.getTime() })
        .where("digest", "=", digest)
        .where("rotated_at", "is", null)
        .where("expires_at", ">", at.getTime())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
};
