import { CLOCKS_APART_MS } from "#runtime/basis/clock.ts";
import type { ApplicationId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { WITH_OFFLINE_ACCESS } from "../claims/scopes.ts";
import { ENDED_EARLY } from "../ended-early.ts";
import type { IssuingSession, PersonalAccess } from "../personal-access.ts";
import type { SignOnTables } from "../tables.ts";
import { firstNumberAt } from "../token-numbers/family-number.ts";
import { CODE_LIFE_MAX_MS } from "./authorization-code.ts";

/** The end of codes that are never redeemed, and of those whose person, session, access or application ends. */
export interface CodeExpiryRepository {
  /** True when a code was issued at or after `start` and before `end`. */
  wasIssuedBetween(start: Date, end: Date): Promise<boolean>;
  /** Marks unused codes issued since `since` that have expired at `at`, oldest first. */
  expire(tx: Transaction<SignOnTables>, since: Date, at: Date, limit: number): Promise<ExpiredCodes>;
  /** Lets the person's unspent codes expire at `at`; what had expired by then stays as it is, here and below. */
  expireAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date): Promise<void>;
  /** Lets the session's unspent codes expire, except those with `offline_access` (R-S8). */
  expireOfSession(tx: Transaction<SignOnTables>, session: IssuingSession, at: Date): Promise<void>;
  /** Lets the unspent codes of one application on one instance expire. */
  expireOfAccess(tx: Transaction<SignOnTables>, access: PersonalAccess, at: Date): Promise<void>;
  /** Lets the application's unspent codes expire. */
  expireAllOfApplication(tx: Transaction<SignOnTables>, applicationId: ApplicationId, at: Date): Promise<void>;
}

/** The result of marking at most so many codes. */
interface ExpiredCodes {
  /** How many this transaction marked. */
  readonly expired: number;
  /** False when no other code is due: each one that was found is marked, by this transaction or by one that is committed. */
  readonly more: boolean;
}

export const codeExpiryRepository = (db: Database<SignOnTables>): CodeExpiryRepository => {
  /**
   * Lets codes expire before they were issued, of those to be named that have not yet: a redemption that is under way may
   * have taken its time before now, and before the end of the code, by another process's clock.
   */
  const expiring = (tx: Transaction<SignOnTables>, at: Date) =>
    tx
      .updateTable("sign_on_families")
      .set({ expires_at: ENDED_EARLY })
      .where("generation", "=", 0)
      .where("expires_at", ">", at.getTime() - CLOCKS_APART_MS)
      .whereRef("expires_at", ">", "issued_at");
  return {
    async wasIssuedBetween(start, end) {
      const row = await db
        .selectFrom("sign_on_families")
        .select("number")
        .where("number", ">=", firstNumberAt(start))
        .where("number", "<", firstNumberAt(end))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async expire(tx, since, at, limit) {
      const due = await tx
        .selectFrom("sign_on_families")
        .select("number")
        .where("number", ">=", firstNumberAt(since))
        .where("generation", "=", 0)
        .where("expired_at", "is", null)
        .where("expires_at", "<=", at.getTime())
        .orderBy("number")
        .limit(limit)
        .execute();
      if (due.length === 0) return { expired: 0, more: false };
      const numbers = due.map(({ number }) => number);
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_families")
        .set({ expired_at: at.getTime() })
        .where("number", "in", numbers)
        // Checked again: under PostgreSQL, another process may have marked it since it was read.
        .where("generation", "=", 0)
        .where("expired_at", "is", null)
        .executeTakeFirst();
      return { expired: Number(numUpdatedRows), more: due.length === limit };
    },
    async expireAllOf(tx, personId, at) {
      await expiring(tx, at).where("person_id", "=", personId).execute();
    },
    async expireOfSession(tx, { digest, personId }, at) {
      await expiring(tx, at)
        .where("person_id", "=", personId)
        .where("session_digest", "=", digest)
        .where("scopes", "not like", WITH_OFFLINE_ACCESS)
        .execute();
    },
    async expireOfAccess(tx, { personId, applicationId, instanceId }, at) {
      await expiring(tx, at)
        .where("person_id", "=", personId)
        .where("application_id", "=", applicationId)
        .where("instance_id", "=", instanceId)
        .execute();
    },
    async expireAllOfApplication(tx, applicationId, at) {
      await expiring(tx, at)
        // No older code lives, by any process's clock; the numbers are the index.
        .where("number", ">=", firstNumberAt(new Date(at.getTime() - CODE_LIFE_MAX_MS - CLOCKS_APART_MS)))
        .where("application_id", "=", applicationId)
        .execute();
    },
  };
};
