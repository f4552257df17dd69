import type { JWK } from "jose";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { SignOnTables } from "../tables.ts";

export type SigningAlgorithm = "RS256" | "ES256";

/** R-S13. */
export type SigningKeyState = "next" | "active" | "retiring" | "retired";

export interface StoredSigningKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly state: SigningKeyState;
  /** Public members only. */
  readonly publicJwk: JWK;
  /** PKCS #8 DER, sealed for `signing_key/<keyId>`. */
  readonly sealedPrivateKey: Buffer;
  readonly createdAt: Date;
}

export interface SigningKeyRepository {
  /** All but retired ones, oldest first. */
  listUsable(): Promise<readonly StoredSigningKey[]>;
  create(tx: Transaction<SignOnTables>, key: StoredSigningKey): Promise<void>;
}

export const signingKeyRepository = (db: Database<SignOnTables>): SigningKeyRepository => ({
  async listUsable() {
    const rows = await db
      .selectFrom("sign_on_signing_keys")
      .selectAll()
      .where("state", "!=", "retired")
      .orderBy("created_at")
      .orderBy("key_id")
      .execute();
    return rows.map((row) => ({
      keyId: row.key_id,
      algorithm: row.algorithm as SigningAlgorithm,
      state: row.state as SigningKeyState,
      publicJwk: JSON.parse(row.public_jwk) as JWK,
      sealedPrivateKey: row.sealed_private_key,
      createdAt: new Date(row.created_at),
    }));
  },
  async create(tx, key) {
    await tx
      .insertInto("sign_on_signing_keys")
      .values({
        key_id: key.keyId,
        algorithm: key.algorithm,
        state: key.state,
        public_jwk: JSON.stringify(key.publicJwk),
        sealed_private_key: key.sealedPrivateKey,
        created_at: key.createdAt.getTime(),
      })
      .execute();
  },
});
