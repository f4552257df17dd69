import { sql, type UpdateObject } from "kysely";
import { emailKey } from "#runtime/basis/email-address.ts";
import type { InstanceId, PersonId, WorkerProfileId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, locked } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { byBytes, erasedAmong, insertRows, isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import { isNamed, type Person, type PersonDetails, type PersonHistory, type PersonKey } from "./person.ts";
import { HISTORY_COLUMNS, PERSON_COLUMNS, toHistory, toPerson } from "./person-row.ts";

export interface PersonRepository {
  find(id: PersonId): Promise<Person | undefined>;
  /** The one person with the address, compared as R-D2 says. */
  findByEmail(email: string): Promise<Person | undefined>;
  /** The person with what ends what sign-on holds of them. */
  findWithHistory(key: PersonKey): Promise<(Person & PersonHistory) | undefined>;
  /**
   * Locks the person: no other change writes it, or makes a seat for it. After the tenants that the transaction locks,
   * so that no two changes wait for each other.
   */
  lock(id: PersonId): Promise<Person | undefined>;
  /** Which of the ids are of erased people. */
  listErased(ids: readonly PersonId[]): Promise<ReadonlySet<PersonId>>;
  /** Locks the person with the address. */
  lockByEmail(email: string): Promise<Person | undefined>;
  /** Locks the people of whom one of the columns has one of its values, in the order of their ids. */
  lockAll(named: PeopleNamed): Promise<Person[]>;
  /** Those of the people with these `emailKey`s who lack a name. */
  listUnnamed(emailKeys: readonly string[]): Promise<readonly PersonId[]>;
  /**
   * At most `count` people after an id who are not erased, in the order of the ids' bytes; each with whether it has a seat
   * on the instance, DELETED and ended ones included, or with true when no instance is asked for.
   */
  listAfter(
    after: string,
    count: number,
    instanceId: InstanceId | null,
  ): Promise<{ readonly person: Person; readonly wanted: boolean }[]>;
  createAll(people: readonly Person[]): Promise<void>;
  /**
   * Creates the person unless somebody has the address already, also when two create at once; the caller reads who it
   * is.
   */
  createUnlessKnown(
    ids: { id: PersonId; workerProfileId: WorkerProfileId },
    details: PersonDetails,
    at: Date,
  ): Promise<void>;
  /**
   * Names that are null again break a constraint while the person has a worker (R-D2), a taken address that of its key.
   */
  replaceDetails(id: PersonId, details: PersonDetails): Promise<void>;
  disable(id: PersonId): Promise<void>;
  enable(id: PersonId, at: Date): Promise<void>;
  /** From now on everything issued for the previous address is void. */
  markEmailChanged(id: PersonId, at: Date): Promise<void>;
  /** From now on the platform vouches for their addresses (R-S8). */
  verifyAll(ids: readonly PersonId[]): Promise<void>;
}

const UNIQUE_COLUMNS = ["id", "email_key", "worker_profile_id"] as const;

/** People by what is unique of them. */
export type PeopleNamed = { readonly [Column in (typeof UNIQUE_COLUMNS)[number]]?: readonly string[] };

export const personRepository = (db: Database<WorkforceTables>): PersonRepository => {
  const people = () => db.selectFrom("workforce_people").select(PERSON_COLUMNS);
  const byId = prepared(db, (value: ValueOf<{ id: PersonId }>) => people().where("id", "=", value("id")));
  const withHistory = () => people().select(HISTORY_COLUMNS);
  const withHistoryById = prepared(db, (value: ValueOf<{ id: PersonId }>) =>
    withHistory().where("id", "=", value("id")),
  );
  const withHistoryByEmail = prepared(db, (value: ValueOf<{ key: string }>) =>
    withHistory().where("email_key", "=", value("key")),
  );
  const update = async (id: PersonId, columns: UpdateObject<WorkforceTables, "workforce_people">): Promise<void> => {
    await db.updateTable("workforce_people").set(columns).where("id", "=", id).execute();
  };
  const lockable = () => locked(db, people());
  return {
    async lock(id) {
      const row = await lockable().where("id", "=", id).executeTakeFirst();
      return row && toPerson(row);
    },

    listErased: (ids) => erasedAmong(db, "workforce_people", ids),

    async lockByEmail(email) {
      const row = await lockable().where("email_key", "=", emailKey(email)).executeTakeFirst();
      return row && toPerson(row);
    },

    async lockAll(named) {
      const isNamed = UNIQUE_COLUMNS.flatMap((column) => {
        const values = named[column] ?? [];
        return values.length === 0 ? [] : [isOneOf(db, `workforce_people.${column}`, values)];
      });
      if (isNamed.length === 0) return [];
      const found = people()
        .where(({ or }) => or(isNamed))
        .orderBy(byBytes(db, "workforce_people.id"));
      return (await (isSqlite(db) ? found : found.forNoKeyUpdate()).execute()).map(toPerson);
    },

    async listUnnamed(emailKeys) {
      if (emailKeys.length === 0) return [];
      const rows = await db
        .selectFrom("workforce_people")
        .select("id")
        .where(isOneOf(db, "email_key", emailKeys))
        .where("named", "=", 0)
        .execute();
      return rows.map(({ id }) => id);
    },

    async listAfter(after, count, instanceId) {
      const seatIn = (seats: "workforce_users" | "workforce_workers") => sql`exists (
        select 1 from ${sql.table(seats)} seat join workforce_tenants tenant on tenant.id = seat.tenant_id
        where seat.person_id = workforce_people.id and tenant.instance_id = ${instanceId})`;
      const wanted = sql<number>`case when ${seatIn("workforce_users")} or ${seatIn("workforce_workers")} then 1 else 0 end`;
      const rows = await people()
        .select((instanceId === null ? sql.lit(1) : wanted).as("wanted"))
        .where(byBytes(db, "workforce_people.id"), ">", after)
        .where("workforce_people.erased_at", "is", null)
        .orderBy(byBytes(db, "workforce_people.id"))
        .limit(count)
        .execute();
      return rows.map((row) => ({ person: toPerson(row), wanted: row.wanted === 1 }));
    },

    async find(id) {
      const row = await byId.first({ id });
      return row && toPerson(row);
    },

    async findWithHistory(key) {
      const row = await ("id" in key
        ? withHistoryById.first(key)
        : withHistoryByEmail.first({ key: emailKey(key.email) }));
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

    createAll: (all) =>
      insertRows(
        db,
        "workforce_people",
        // In one order: of two who create the same people at once, one waits for the other.
        all.toSorted(byEmail).map((person) => ({
          id: person.id,
          worker_profile_id: person.workerProfileId,
          ...toDetailColumns(person),
          disabled: person.disabled ? 1 : 0,
          created_at: person.createdAt.getTime(),
        })),
      ),

    async verifyAll(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable("workforce_people")
        .set({ email_verified: 1 })
        .where(isOneOf(db, "id", ids))
        .execute();
    },

    replaceDetails: (id, details) => update(id, toDetailColumns(details)),
    disable: (id) => update(id, { disabled: 1 }),
    enable: (id, at) => update(id, { disabled: 0, enabled_at: at.getTime() }),
    markEmailChanged: (id, at) => update(id, { email_changed_at: at.getTime() }),
  };
};

function byEmail(one: PersonDetails, other: PersonDetails): number {
  const [first, second] = [emailKey(one.email), emailKey(other.email)];
  return first < second ? -1 : Number(first > second);
}

const toDetailColumns = (details: PersonDetails) => ({
  email: details.email,
  email_key: emailKey(details.email),
  email_verified: details.emailVerified ? 1 : 0,
  first_name: details.firstName,
  last_name: details.lastName,
  named: isNamed(details) ? 1 : 0,
});
