import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { SignInsTable, SignOnTables } from "../tables.ts";
import { SIGN_INS_KEPT, type SignIn, type SignInFailure } from "./sign-in.ts";

export interface SignInRepository {
  /** Stores one and deletes the person's oldest ones of the same outcome beyond `SIGN_INS_KEPT`. */
  record(tx: Transaction<SignOnTables>, signIn: SignIn): Promise<void>;
  /** The person's sign-ins, the newest first, at most `limit`; empty when there are none. */
  listRecent(personId: PersonId, limit: number): Promise<readonly SignIn[]>;
}

export const signInRepository = (db: Database<SignOnTables>): SignInRepository => ({
  async record(tx, { personId, at, outcome, reason, applicationId, instanceId, userAgent, network }) {
    await tx
      .insertInto("sign_on_sign_ins")
      .values({
        person_id: personId,
        at: at.getTime(),
        outcome,
        reason: reason ?? null,
        application_id: applicationId ?? null,
        instance_id: instanceId ?? null,
        user_agent: userAgent ?? null,
        network: network ?? null,
      })
      .execute();
    await tx
      .deleteFrom("sign_on_sign_ins")
      .where("id", "in", (select) =>
        select
          .selectFrom("sign_on_sign_ins")
          .select("id")
          .where("person_id", "=", personId)
          .where("outcome", "=", outcome)
          .orderBy("id", "desc")
          .offset(SIGN_INS_KEPT)
          // SQLite has no offset without a limit. One row is added at a time; there are more only after a race.
          .limit(SIGN_INS_KEPT),
      )
      .execute();
  },
  async listRecent(personId, limit) {
    const rows = await db
      .selectFrom("sign_on_sign_ins")
      .selectAll()
      .where("person_id", "=", personId)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toSignIn);
  },
});

const toSignIn = (row: Omit<SignInsTable, "id">): SignIn => ({
  personId: row.person_id as PersonId,
  at: new Date(row.at),
  outcome: row.outcome as SignIn["outcome"],
  reason: (row.reason as SignInFailure | null) ?? undefined,
  applicationId: (row.application_id as ApplicationId | null) ?? undefined,
  instanceId: (row.instance_id as InstanceId | null) ?? undefined,
  userAgent: row.user_agent ?? undefined,
  network: row.network ?? undefined,
});
