import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import { emailKey } from "./email-address.ts";
import type { Person, PersonDetails } from "./person.ts";
import { PERSON_COLUMNS, toPerson } from "./person-row.ts";

export interface PersonRepository {
  find(id: PersonId): Promise<Person | undefined>;
  /** The one person with the address, compared as R-D2 says. */
  findByEmail(email: string): Promise<Person | undefined>;
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
  replaceDisabled(id: PersonId, disabled: boolean): Promise<void>;
  replaceEmailVerified(id: PersonId, verified: boolean): Promise<void>;
}

export const personRepository = (db: Database<WorkforceTables>): PersonRepository => {
  const people = () => db.selectFrom("workforce_people").select(PERSON_COLUMNS);
  const byId = prepared(db, (value: ValueOf<{ id: PersonId }>) => people().where("id", "=", value("id")));
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

    async replaceDetails(id, details) {
      await db.updateTable("workforce_people").set(toDetailColumns(details)).where("id", "=", id).execute();
    },

    async replaceDisabled(id, disabled) {
      await db
        .updateTable("workforce_people")
        .set({ disabled: disabled ? 1 : 0 })
        .where("id", "=", id)
        .execute();
    },

    async replaceEmailVerified(id, verified) {
      await db
        .updateTable("workforce_people")
        .set({ email_verified: verified ? 1 : 0 })
        .where("id", "=", id)
        .execute();
    },
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
