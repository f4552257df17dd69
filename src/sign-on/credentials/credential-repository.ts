import { sql } from "kysely";
import type { PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { SignOnTables } from "../tables.ts";

export interface CredentialRepository {
  /** The person's password hash as a PHC string. */
  findPasswordHash(personId: PersonId): Promise<string | undefined>;
  /** When the person's password was set. */
  findPasswordSetAt(personId: PersonId): Promise<Date | undefined>;
  /** The beginnings of password hashes, up to the salt, each once: one for each cost. Reads all hashes: for the start. */
  listCosts(): Promise<readonly string[]>;
  /**
   * When the password was set, while this is still the person's hash; locks it until the transaction ends. A password
   * that was checked outside a transaction is checked again inside by this.
   */
  lockPasswordHash(tx: Transaction<SignOnTables>, personId: PersonId, hash: string): Promise<Date | undefined>;
  /** Replaces this hash by another one of the same password; `false` when it is no longer the person's. */
  renewPasswordHash(
    tx: Transaction<SignOnTables>,
    personId: PersonId,
    hashes: { readonly from: string; readonly to: string },
  ): Promise<boolean>;
  setPasswordHash(tx: Transaction<SignOnTables>, personId: PersonId, hash: string, at: Date): Promise<void>;
}

/** Characters of a PHC string behind its cost: 16 bytes of salt, a dollar sign and 32 bytes of tag, in base64. */
const SALT_AND_TAG_LENGTH = 66;

export const credentialRepository = (db: Database<SignOnTables>): CredentialRepository => ({
  async findPasswordHash(personId) {
    const row = await db
      .selectFrom("sign_on_credentials")
      .select("password_hash")
      .where("person_id", "=", personId)
      .executeTakeFirst();
    return row?.password_hash;
  },
  async findPasswordSetAt(personId) {
    const row = await db
      .selectFrom("sign_on_credentials")
      .select("updated_at")
      .where("person_id", "=", personId)
      .executeTakeFirst();
    return row && new Date(row.updated_at);
  },
  async listCosts() {
    // Distinct, not grouped with one hash of each: SQLite would sort all hashes for that.
    const cost = sql<string>`substr(password_hash, 1, length(password_hash) - ${sql.lit(SALT_AND_TAG_LENGTH)})`;
    const rows = await db
      .selectFrom("sign_on_credentials")
      .select(cost.as("cost"))
      .distinct()
      .where(sql<number>`length(password_hash)`, ">", SALT_AND_TAG_LENGTH)
      .execute();
    return rows.map(({ cost: one }) => one);
  },
  lockPasswordHash: (tx, personId, hash) => replaceHash(tx, personId, { from: hash, to: hash }),
  renewPasswordHash: async (tx, personId, hashes) => (await replaceHash(tx, personId, hashes)) !== undefined,
  async setPasswordHash(tx, personId, hash, at) {
    const updated = { password_hash: hash, updated_at: at.getTime() };
    await tx
      .insertInto("sign_on_credentials")
      .values({ person_id: personId, ...updated })
      .onConflict((conflict) => conflict.column("person_id").doUpdateSet(updated))
      .execute();
  },
});

/** The time at which the password was set does not change: it is the same password. */
async function replaceHash(
  tx: Transaction<SignOnTables>,
  personId: PersonId,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Date | undefined> {
  const row = await tx
    .updateTable("sign_on_credentials")
    .set({ password_hash: to })
    .where("person_id", "=", personId)
    .where("password_hash", "=", from)
    .returning("updated_at")
    .executeTakeFirst();
  return row && new Date(row.updated_at);
}
