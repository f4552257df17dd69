import type { JWK } from "jose";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { instantIn } from "#runtime/database/rows.ts";
import type { SigningKeysTable, SignOnTables } from "../tables.ts";

export type SigningAlgorithm = "RS256" | "ES256";

/** R-S13. A key goes on through these in their order, or from any of them straight to the last. */
export type SigningKeyState = "next" | "active" | "retiring" | "retired";

export interface StoredSigningKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly state: SigningKeyState;
  /** Public members only. */
  readonly publicJwk: JWK;
  /** PKCS #8 DER, sealed for `signing_key/<keyId>`; empty once the key is retired. */
  readonly sealedPrivateKey: Buffer;
  readonly createdAt: Date;
  /** A next key becomes active then at the earliest. */
  readonly signsFrom: Date;
  readonly activatedAt: Date | undefined;
  /** When an operator asked for a successor that was not ready yet. */
  readonly rotationAskedAt: Date | undefined;
  /** When a retiring key is to be retired. */
  readonly retiresAt: Date | undefined;
  readonly retiredAt: Date | undefined;
  /** Why it was retired before its time. */
  readonly revokedBecause: string | undefined;
}

type Reader = Database<SignOnTables> | Transaction<SignOnTables>;
type Writer = Transaction<SignOnTables>;

/** Each step is one conditional update; true when this call took it, false when another process did or the key is elsewhere. */
export interface SigningKeyRepository {
  /** All but retired ones, oldest first. */
  listUsable(from?: Reader): Promise<readonly StoredSigningKey[]>;
  /** Retired ones too, oldest first. */
  listAll(): Promise<readonly StoredSigningKey[]>;
  find(keyId: string): Promise<StoredSigningKey | undefined>;
  /** @throws a unique violation when the algorithm has an active key, or a next one, already. */
  create(tx: Writer, key: StoredSigningKey): Promise<void>;
  /** active → retiring, to be retired at `retiresAt`. */
  beginRetiring(tx: Writer, keyId: string, retiresAt: Date): Promise<boolean>;
  /** next → active; whether or not its time has come, when `early`. The algorithm must have no active key. */
  activate(tx: Writer, keyId: string, at: Date, options?: { readonly early: boolean }): Promise<boolean>;
  /** retiring → retired once its time has come; the private half is gone. */
  retire(tx: Writer, keyId: string, at: Date): Promise<boolean>;
  /** From `state` straight to retired; the private half is gone. */
  revoke(tx: Writer, keyId: string, state: SigningKeyState, at: Date, because: string): Promise<boolean>;
  /** Marks an active key for being replaced as soon as the next one may sign; false when it is marked already. */
  askRotation(tx: Writer, keyId: string, at: Date): Promise<boolean>;
}

const NO_PRIVATE_HALF = Buffer.alloc(0);

export const signingKeyRepository = (db: Database<SignOnTables>): SigningKeyRepository => {
  const all = (from: Reader) =>
    from.selectFrom("sign_on_signing_keys").selectAll().orderBy("created_at").orderBy("key_id");
  return {
    async listUsable(from = db) {
      return (await all(from).where("state", "!=", "retired").execute()).map(toKey);
    },
    async listAll() {
      return (await all(db).execute()).map(toKey);
    },
    async find(keyId) {
      const row = await all(db).where("key_id", "=", keyId).executeTakeFirst();
      return row === undefined ? undefined : toKey(row);
    },
    async create(tx, key) {
      await tx.insertInto("sign_on_signing_keys").values(toRow(key)).execute();
    },
    async beginRetiring(tx, keyId, retiresAt) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_signing_keys")
        .set({ state: "retiring", retires_at: retiresAt.getTime() })
        .where("key_id", "=", keyId)
        .where("state", "=", "active")
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async activate(tx, keyId, at, { early } = { early: false }) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_signing_keys")
        .set({ state: "active", activated_at: at.getTime() })
        .where("key_id", "=", keyId)
        .where("state", "=", "next")
        .$if(!early, (query) => query.where("signs_from", "<=", at.getTime()))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async retire(tx, keyId, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_signing_keys")
        .set({ state: "retired", retired_at: at.getTime(), sealed_private_key: NO_PRIVATE_HALF })
        .where("key_id", "=", keyId)
        .where("state", "=", "retiring")
        .where("retires_at", "<=", at.getTime())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async revoke(tx, keyId, state, at, because) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_signing_keys")
        .set({
          state: "retired",
          retired_at: at.getTime(),
          revoked_because: because,
          sealed_private_key: NO_PRIVATE_HALF,
        })
        .where("key_id", "=", keyId)
        .where("state", "=", state)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async askRotation(tx, keyId, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_signing_keys")
        .set({ rotation_asked_at: at.getTime() })
        .where("key_id", "=", keyId)
        .where("state", "=", "active")
        .where("rotation_asked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
};

const toKey = (row: SigningKeysTable): StoredSigningKey => ({
  keyId: row.key_id,
  algorithm: row.algorithm as SigningAlgorithm,
  state: row.state as SigningKeyState,
  publicJwk: JSON.parse(row.public_jwk) as JWK,
  sealedPrivateKey: row.sealed_private_key,
  createdAt: new Date(row.created_at),
  signsFrom: new Date(row.signs_from),
  activatedAt: instantIn(row.activated_at),
  rotationAskedAt: instantIn(row.rotation_asked_at),
  retiresAt: instantIn(row.retires_at),
  retiredAt: instantIn(row.retired_at),
  revokedBecause: row.revoked_because ?? undefined,
});

const toRow = (key: StoredSigningKey): SigningKeysTable => ({
  key_id: key.keyId,
  algorithm: key.algorithm,
  state: key.state,
  public_jwk: JSON.stringify(key.publicJwk),
  sealed_private_key: key.sealedPrivateKey,
  created_at: key.createdAt.getTime(),
  signs_from: key.signsFrom.getTime(),
  activated_at: key.activatedAt?.getTime() ?? null,
  rotation_asked_at: key.rotationAskedAt?.getTime() ?? null,
  retires_at: key.retiresAt?.getTime() ?? null,
  retired_at: key.retiredAt?.getTime() ?? null,
  revoked_because: key.revokedBecause ?? null,
});
