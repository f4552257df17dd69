import type { PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { SignOnTables } from "../tables.ts";

export interface CredentialRepository {
  /** The person's password hash as a PHC string. */
  findPasswordHash(personId: PersonId): Promise<string | undefined>;
  /**
   * True while this is still the person's hash; from then on nobody changes it before the transaction ends. What was proven by a password
   * outside a transaction is asked again inside.
   */
  holdPasswordHash(tx: Transaction<SignOnTables>, personId: PersonId, hash: string): Promise<boolean>;
  setPasswordHash(tx: Transaction<SignOnTables>, personId: PersonId, hash: string, at: Date): Promise<void>;
}

export const credentialRepository = (db: Database<SignOnTables>): CredentialRepository => ({
  async findPasswordHash(personId) {
    const row = await db
      .selectFrom("sign_on_credentials")
      .select("password_hash")
      .where("person_id", "=", personId)
      .executeTakeFirst();
    return row?.password_hash;
  },
  async holdPasswordHash(tx, personId, hash) {
    const { numUpdatedRows } = await tx
      .updateTable("sign_on_credentials")
      .set({ password_hash: hash })
      .where("person_id", "=", personId)
      .where("password_hash", "=", hash)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async setPasswordHash(tx, personId, hash, at) {
    const updated = { password_hash: hash, updated_at: at.getTime() };
    await tx
      .insertInto("sign_on_credentials")
      .values({ person_id: personId, ...updated })
      .onConflict((conflict) => conflict.column("person_id").doUpdateSet(updated))
      .execute();
  },
});
