import type { UpdateObject } from "kysely";
import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { emailKey } from "../email-address.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Person, PersonDetails, PersonHistory } from "./person.ts";
import { HISTORY_COLUMNS, PERSON_COLUMNS, toHistory, toPerson } from "./person-row.ts";

export interface PersonRepository {
  find(id: PersonId): Promise<Person | undefined>;
  /** The one person with the address, compared as R-D2 says. */
  findByEmail(email: string): Promise<Person | undefined>;
  /** The person with what ends what sign-on holds of them. */
  findWithHistory(id: PersonId): Promise<(Person & PersonHistory) | undefined>;
  /**
   * The person, kept for this transaction: nobody else changes it, or makes a seat for it. After the tenants that the transaction locks, so
   * that no two changes wait for each other.
   */
  lock(id: PersonId): Promise<Person | undefined>;
  /** The same for the one person with the address. */
  lockByEmail(email: string): Promise<Person | undefined>;
  /** Creates the person unless somebody has the address already, also when two create at once; the caller reads who it is. */
  createUnlessKnown(
    ids: { id: PersonId; workerProfileId: WorkerProfileId },
    details: PersonDetails,
    at: Date,
  ): Promise<void>;
  /** Names that are null again break a constraint while the person has a worker (R-D2), a taken address that of its key. */
  replaceDetails(id: PersonId, details: PersonDetails): Promise<void>;
  disable(id: PersonId): Promise<void>;
  enable(id: PersonId, at: Date): Promise<void>;
  /** From now on what was handed out for the address before is over. */
  markEmailChanged(id: PersonId, at: Date): Promise<void>;
  replaceEmailVerified(id: PersonId, verified: boolean): Promise<void>;
}

export const personRepository = (db: Database<WorkforceTables>): PersonRepository => {
  const people = () => db.selectFrom("workforce_people").select(PERSON_COLUMNS);
  const byId = prepared(db, (value: ValueOf<{ id: PersonId }>) => people().where("id", "=", value("id")));
  const byIdWithHistory = prepared(db, (value: ValueOf<{ id: PersonId }>) =>
    people().select(HISTORY_COLUMNS).where("id", "=", value("id")),
  );
  const update = async (id: PersonId, columns: UpdateObject<WorkforceTables, "workforce_people">): Promise<void> => {
    await db.updateTable("workforce_people").set(columns).where("id", "=", id).execute();
  };
  const lockable = () => (isSqlite(db) ? people() : people().forUpdate());
  return {
    async lock(id) {
      const row = await lockable().where("id", "=", id).executeTakeFirst();
      return row && toPerson(row);
    },

    async lockByEmail(email) {
      const row = await lockable().where("email_key", "=", emailKey(email)).executeTakeFirst();
      return row && toPerson(row);
    },

    async find(id) {
      const row = await byId.first({ id });
      return row && toPerson(row);
    },

    async findWithHistory(id) {
      const row = await byIdWithHistory.first({ id });
      return row && { ...toPerson(row), ...toHistory(row) };
    },

    async findByEmail(email) {
      const row = await people().where("email_key", "=", emailKey(email)).executeTakeFirst();
      return row && toPerson(row);
    },

    async createUnlessKnown({ id, workerProfileId }, details, at) {
      await db
        .insertInto("workforce_people")
        .values({
          id,
          worker_profile_id: workerProfileId,
          ...toDetailColumns(details),
          disabled: 0,
          created_at: at.getTime(),
        })
        .onConflict((conflict) => conflict.column("email_key").doNothing())
        .execute();
    },

    replaceDetails: (id, details) => update(id, toDetailColumns(details)),
    disable: (id) => update(id, { disabled: 1 }),
    enable: (id, at) => update(id, { disabled: 0, enabled_at: at.getTime() }),
    markEmailChanged: (id, at) => update(id, { email_changed_at: at.getTime() }),
    replaceEmailVerified: (id, verified) => update(id, { email_verified: verified ? 1 : 0 }),
  };
};

const toDetailColumns = ({ email, firstName, lastName, emailVerified }: PersonDetails) => ({
  email,
  email_key: emailKey(email),
  email_verified: emailVerified ? 1 : 0,
  first_name: firstName,
  last_name: lastName,
  named: firstName === null || lastName === null ? 0 : 1,
});
