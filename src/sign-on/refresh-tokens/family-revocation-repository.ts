import { CLOCKS_APART_MS } from "#runtime/basis/clock.ts";
import type { ApplicationId, PersonId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { CODE_LIFE_MAX_MS } from "../authorization-codes/authorization-code.ts";
import { WITH_OFFLINE_ACCESS } from "../claims/scopes.ts";
import type { IssuingSession, PersonalAccess } from "../personal-access.ts";
import type { SignOnTables } from "../tables.ts";
import { firstNumberAt } from "../token-numbers/family-number.ts";

/** Ends token families before their time, and single access tokens. */
export interface FamilyRevocationRepository {
  /** False when it was already revoked. */
  revokeAccessToken(tx: Transaction<SignOnTables>, accessTokenId: string, expiresAt: Date, at: Date): Promise<boolean>;
  /**
   * Locks the person's families that are not revoked, and unspent codes that have not expired at `at`, in one order, before a
   * transaction writes all of them: so that two never wait for each other.
   */
  lockAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date): Promise<void>;
  revoke(tx: Transaction<SignOnTables>, number: number, because: string, at: Date): Promise<boolean>;
  revokeAllOf(tx: Transaction<SignOnTables>, personId: PersonId, because: string, at: Date): Promise<void>;
  /** Revokes the signed-out session's families, except those with `offline_access`, which outlive it (R-S8); returns how many. */
  revokeOfSession(tx: Transaction<SignOnTables>, session: IssuingSession, at: Date): Promise<number>;
  /** Revokes the families of one application on one instance; returns how many. */
  revokeOfAccess(tx: Transaction<SignOnTables>, access: PersonalAccess, because: string, at: Date): Promise<number>;
  /** Revokes the application's families that were issued after `at`, by a clock that was ahead or has been set back since. */
  revokeLaterOf(tx: Transaction<SignOnTables>, id: ApplicationId, at: Date): Promise<void>;
}

export const familyRevocationRepository = (): FamilyRevocationRepository => ({
  async revokeAccessToken(tx, accessTokenId, expiresAt, at) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("sign_on_revoked_access_tokens")
      .values({ token_id: accessTokenId, revoked_at: at.getTime(), expires_at: expiresAt.getTime() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },
  async lockAllOf(tx, personId, at) {
    // SQLite's writer is alone anyway.
    if (isSqlite(tx)) return;
    await tx
      .selectFrom("sign_on_families")
      .select("number")
      .where("person_id", "=", personId)
      .where("revoked_at", "is", null)
      .where(({ eb, or }) => or([eb("generation", ">", 0), eb("expires_at", ">", at.getTime() - CLOCKS_APART_MS)]))
      .orderBy("number")
      .forNoKeyUpdate()
      .execute();
  },
  async revoke(tx, number, because, at) {
    const { numUpdatedRows } = await revoking(tx, because, at).where("number", "=", number).executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async revokeAllOf(tx, personId, because, at) {
    await revoking(tx, because, at).where("person_id", "=", personId).execute();
  },
  async revokeOfSession(tx, { digest, personId }, at) {
    const { numUpdatedRows } = await revoking(tx, "signed out", at)
      .where("person_id", "=", personId)
      .where("session_digest", "=", digest)
      .where("scopes", "not like", WITH_OFFLINE_ACCESS)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
  async revokeOfAccess(tx, { personId, applicationId, instanceId }, because, at) {
    const { numUpdatedRows } = await revoking(tx, because, at)
      .where("person_id", "=", personId)
      .where("application_id", "=", applicationId)
      .where("instance_id", "=", instanceId)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
  async revokeLaterOf(tx, id, at) {
    await revoking(tx, "application disabled", at)
      // No code was older when it was redeemed, by any process's clock; the numbers are the index.
      .where("number", ">=", firstNumberAt(new Date(at.getTime() - CODE_LIFE_MAX_MS - CLOCKS_APART_MS)))
      .where("application_id", "=", id)
      .where("redeemed_at", ">", at.getTime())
      .execute();
  },
});

/** Revokes those families, of the ones to be named, that are not revoked yet: the first cause stays. Codes expire instead. */
const revoking = (tx: Transaction<SignOnTables>, because: string, at: Date) =>
  tx
    .updateTable("sign_on_families")
    .set({ revoked_at: at.getTime(), revoked_because: because })
    .where("generation", ">", 0)
    .where("revoked_at", "is", null);
