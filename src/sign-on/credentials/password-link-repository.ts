import type { PersonId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { PasswordLinksTable, SignOnTables } from "../tables.ts";
import type { PasswordLink, PasswordLinkPurpose } from "./password-link.ts";

export interface PasswordLinkRepository {
  /** The link, ended and expired ones included. */
  find(digest: Buffer): Promise<PasswordLink | undefined>;
  /** Violates a unique constraint while the person has another open link. */
  create(tx: Transaction<SignOnTables>, link: Omit<PasswordLink, "endedBecause">): Promise<void>;
  /**
   * Ends an open link that has not expired: one conditional update whose row count decides which request used it (S18).
   */
  spend(tx: Transaction<SignOnTables>, digest: Buffer, at: Date): Promise<boolean>;
  /** Locks the person's open link, if there is one: it is spent before this transaction, or after it. */
  lockOpenOf(tx: Transaction<SignOnTables>, personId: PersonId): Promise<void>;
  /** Ends the person's open link, if there is one. */
  withdrawAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date): Promise<void>;
}

export const passwordLinkRepository = (db: Database<SignOnTables>): PasswordLinkRepository => ({
  async find(digest) {
    const row = await db
      .selectFrom("sign_on_password_links")
      .selectAll()
      .where("digest", "=", digest)
      .executeTakeFirst();
    return row === undefined ? undefined : toPasswordLink(row);
  },
  async create(tx, link) {
    await tx
      .insertInto("sign_on_password_links")
      .values({
        digest: link.digest,
        person_id: link.personId,
        purpose: link.purpose,
        created_at: link.createdAt.getTime(),
        expires_at: link.expiresAt.getTime(),
        ended_at: null,
        ended_because: null,
        person_state: link.personState ?? null,
      })
      .execute();
  },
  async spend(tx, digest, at) {
    const { numUpdatedRows } = await tx
      .updateTable("sign_on_password_links")
      .set({ ended_at: at.getTime(), ended_because: "used" })
      .where("digest", "=", digest)
      .where("ended_at", "is", null)
      .where("expires_at", ">", at.getTime())
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async lockOpenOf(tx, personId) {
    if (isSqlite(tx)) return;
    await tx
      .selectFrom("sign_on_password_links")
      .select("digest")
      .where("person_id", "=", personId)
      .where("ended_at", "is", null)
      .forNoKeyUpdate()
      .execute();
  },
  async withdrawAllOf(tx, personId, at) {
    await tx
      .updateTable("sign_on_password_links")
      .set({ ended_at: at.getTime(), ended_because: "withdrawn" })
      .where("person_id", "=", personId)
      .where("ended_at", "is", null)
      .execute();
  },
});

const toPasswordLink = (row: PasswordLinksTable): PasswordLink => ({
  digest: row.digest,
  personId: row.person_id as PersonId,
  purpose: row.purpose as PasswordLinkPurpose,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  personState: row.person_state ?? undefined,
  endedBecause: (row.ended_because ?? undefined) as PasswordLink["endedBecause"],
});
