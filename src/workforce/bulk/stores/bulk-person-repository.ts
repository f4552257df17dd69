import { sql } from "kysely";
import type { InstanceId, PersonId } from "#runtime/basis/ids.ts";
import { byBytes, insertRows, isOneOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { emailKey } from "../../email-address.ts";
import { isNamed, type Person } from "../../people/person.ts";
import { PERSON_COLUMNS, toPerson } from "../../people/person-row.ts";
import type { WorkforceTables } from "../../tables.ts";

type UniqueColumn = "id" | "email_key" | "worker_profile_id";

/** Many people by one statement. */
export interface BulkPersonRepository {
  /** Those whose column has one of the values, kept for this transaction. */
  lockAll(column: UniqueColumn, values: readonly string[]): Promise<Person[]>;
  createAll(people: readonly Person[]): Promise<void>;
  /** From now on the platform vouches for their addresses (R-S8). */
  verifyAll(ids: readonly PersonId[]): Promise<void>;
  /**
   * The next people after an id, in the order of its bytes; each with whether it has a seat on the instance, DELETED and ended ones
   * included, or with true when no instance is asked for.
   */
  listAfter(
    after: string,
    count: number,
    instanceId: InstanceId | null,
  ): Promise<{ person: Person; wanted: boolean }[]>;
}

export const bulkPersonRepository = (db: Database<WorkforceTables>): BulkPersonRepository => {
  const people = () => db.selectFrom("workforce_people").select(PERSON_COLUMNS);
  return {
    async lockAll(column, values) {
      if (values.length === 0) return [];
      const found = people()
        .where(isOneOf(db, `workforce_people.${column}`, values))
        .orderBy(byBytes(db, "workforce_people.id"));
      return (await (isSqlite(db) ? found : found.forNoKeyUpdate()).execute()).map(toPerson);
    },

    createAll: (all) => insertRows(db, "workforce_people", all.map(toPersonRow)),

    async verifyAll(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable("workforce_people")
        .set({ email_verified: 1 })
        .where(isOneOf(db, "id", ids))
        .execute();
    },

    async listAfter(after, count, instanceId) {
      const seatIn = (seats: "workforce_users" | "workforce_workers") => sql`exists (
        select 1 from ${sql.table(seats)} seat join workforce_tenants tenant on tenant.id = seat.tenant_id
        where seat.person_id = workforce_people.id and tenant.instance_id = ${instanceId})`;
      const wanted = sql<number>`case when ${seatIn("workforce_users")} or ${seatIn("workforce_workers")} then 1 else 0 end`;
      const rows = await people()
        .select((instanceId === null ? sql.lit(1) : wanted).as("wanted"))
        .where(byBytes(db, "workforce_people.id"), ">", after)
        .orderBy(byBytes(db, "workforce_people.id"))
        .limit(count)
        .execute();
      return rows.map((row) => ({ person: toPerson(row), wanted: row.wanted === 1 }));
    },
  };
};

const toPersonRow = (person: Person) => ({
  id: person.id,
  worker_profile_id: person.workerProfileId,
  email: person.email,
  email_key: emailKey(person.email),
  email_verified: person.emailVerified ? 1 : 0,
  first_name: person.firstName,
  last_name: person.lastName,
  named: isNamed(person) ? 1 : 0,
  disabled: person.disabled ? 1 : 0,
  created_at: person.createdAt.getTime(),
});
