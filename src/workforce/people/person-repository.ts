import type { PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import { emailKey } from "./email-address.ts";
import type { Person, PersonDetails } from "./person.ts";
import { PERSON_COLUMNS, toPerson } from "./person-row.ts";

export interface PersonRepository {
  find(id: PersonId): Promise<Person | undefined>;
  /** The one person with the address, compared as R-D2 says. */
  findByEmail(email: string): Promise<Person | undefined>;
  /** Creates the person unless somebody has the address already, also when two create at once; the caller reads who it is. */
  createUnlessKnown(
    ids: { id: PersonId; workerProfileId: WorkerProfileId },
    details: PersonDetails,
    at: Date,
  ): Promise<void>;
  replaceNames(
    id: PersonId,
    names: { readonly firstName: string | null; readonly lastName: string | null },
  ): Promise<void>;
  replaceEmailVerified(id: PersonId, verified: boolean): Promise<void>;
}

export const personRepository = (db: Database<WorkforceTables>): PersonRepository => {
  const people = () => db.selectFrom("workforce_people").select(PERSON_COLUMNS);
  const byId = prepared(db, (value: ValueOf<{ id: PersonId }>) => people().where("id", "=", value("id")));
  return {
    async find(id) {
      const row = await byId.first({ id });
      return row && toPerson(row);
    },

    async findByEmail(email) {
      const row = await people().where("email_key", "=", emailKey(email)).executeTakeFirst();
      return row && toPerson(row);
    },

    async createUnlessKnown({ id, workerProfileId }, { email, firstName, lastName, emailVerified }, at) {
      await db
        .insertInto("workforce_people")
        .values({
          id,
          worker_profile_id: workerProfileId,
          email,
          email_key: emailKey(email),
          email_verified: emailVerified ? 1 : 0,
          first_name: firstName,
          last_name: lastName,
          named: namedFlag(firstName, lastName),
          disabled: 0,
          created_at: at.getTime(),
        })
        .onConflict((conflict) => conflict.column("email_key").doNothing())
        .execute();
    },

    async replaceNames(id, { firstName, lastName }) {
      await db
        .updateTable("workforce_people")
        .set({ first_name: firstName, last_name: lastName, named: namedFlag(firstName, lastName) })
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

const namedFlag = (firstName: string | null, lastName: string | null): number =>
  firstName === null || lastName === null ? 0 : 1;
