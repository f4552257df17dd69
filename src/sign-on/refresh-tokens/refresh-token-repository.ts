import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { Scope } from "../claims/scopes.ts";
import type { RefreshTokensTable, SignOnTables } from "../tables.ts";

/** One link of a family's chain; stored under its digest. */
export interface RefreshToken {
  readonly digest: Buffer;
  readonly familyId: string;
  readonly issuedAt: Date;
  /** Idle limit (R-S9). */
  readonly expiresAt: Date;
  /** Digest of the token that it replaced; `undefined` for a family's first. */
  readonly predecessor: Buffer | undefined;
}

/** How a refresh token was replaced. */
export interface Replacement {
  readonly at: Date;
  /** The salt: with the token, it gives the successor (`successorOf`). Emptied once the successor was used. */
  readonly salt: Buffer;
  /** The scopes of the first answer; a repeat must ask for the same (R-S10). */
  readonly scopes: readonly Scope[];
}

export interface StoredRefreshToken extends RefreshToken {
  /** `undefined` while it is its family's live leaf. */
  readonly replacement: Replacement | undefined;
}

export interface RefreshTokenRepository {
  find(digest: Buffer): Promise<StoredRefreshToken | undefined>;
  create(tx: Transaction<SignOnTables>, token: RefreshToken): Promise<void>;
  /**
   * Marks the token as replaced: one conditional update whose row count decides (S24). Deletes the salt of the previous
   * token, so that the store and an old token together do not give the current one.
   */
  replace(tx: Transaction<SignOnTables>, token: RefreshToken, replacement: Replacement): Promise<boolean>;
}

type NewTokenRow = Omit<RefreshTokensTable, "rotated_at" | "successor_salt" | "successor_scopes">;

export const refreshTokenRepository = (db: Database<SignOnTables>): RefreshTokenRepository => {
  const byDigest = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db.selectFrom("sign_on_refresh_tokens").selectAll().where("digest", "=", value("digest")),
  );
  const insert = preparedWrite((value: ValueOf<NewTokenRow>) =>
    db.insertInto("sign_on_refresh_tokens").values({
      digest: value("digest"),
      family_id: value("family_id"),
      issued_at: value("issued_at"),
      expires_at: value("expires_at"),
      predecessor_digest: value("predecessor_digest"),
      rotated_at: null,
      successor_salt: null,
      successor_scopes: null,
    }),
  );
  const replace = preparedWrite((value: ValueOf<{ digest: Buffer; at: number; salt: Buffer; scopes: string }>) =>
    db
      .updateTable("sign_on_refresh_tokens")
      .set({ rotated_at: value("at"), successor_salt: value("salt"), successor_scopes: value("scopes") })
      .where("digest", "=", value("digest"))
      .where("rotated_at", "is", null)
      .where("expires_at", ">", value("at")),
  );
  const forgetSalt = preparedWrite((value: ValueOf<{ digest: Buffer }>) =>
    db.updateTable("sign_on_refresh_tokens").set({ successor_salt: null }).where("digest", "=", value("digest")),
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
        predecessor: row.predecessor_digest ?? undefined,
        replacement: toReplacement(row),
      };
    },
    async create(tx, token) {
      await insert(tx, {
        digest: token.digest,
        family_id: token.familyId,
        issued_at: token.issuedAt.getTime(),
        expires_at: token.expiresAt.getTime(),
        predecessor_digest: token.predecessor ?? null,
      });
    },
    async replace(tx, { digest, predecessor }, { at, salt, scopes }) {
      const changed = await replace(tx, { digest, at: at.getTime(), salt, scopes: JSON.stringify(scopes) });
      if (changed !== 1) return false;
      if (predecessor !== undefined) await forgetSalt(tx, { digest: predecessor });
      return true;
    },
  };
};

/** An empty salt gives no successor, so a repeat of such a token is theft. */
const toReplacement = (row: RefreshTokensTable): Replacement | undefined =>
  row.rotated_at === null
    ? undefined
    : {
        at: new Date(row.rotated_at),
        salt: row.successor_salt ?? Buffer.alloc(0),
        scopes: JSON.parse(row.successor_scopes ?? "[]") as Scope[],
      };
