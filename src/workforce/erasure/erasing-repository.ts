import { sql } from "kysely";
import type { PersonId, TenantId, WorkerProfileId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import { NO_ADDRESS, toAddressRow } from "../postal-address.ts";
import type { WorkforceTables } from "../tables.ts";
import { UNKNOWN_ROLE } from "../tenants/access-role-name.ts";
import { type ErasablePlace, type PersonSeat, seatTableOf } from "./erasable.ts";
import { ERASED_NAME, ERASED_PERSON, erasedAddressKey } from "./tombstone.ts";

/** Puts tombstones in the place of what is erased (R-X262). Its tenants are locked by then. */
interface ErasingRepository {
  erasePerson(id: PersonId, email: string, at: Date): Promise<void>;
  /** A row without a human being, to which an erased seat belongs. */
  createErasedPerson(ids: { id: PersonId; workerProfileId: WorkerProfileId }, email: string, at: Date): Promise<void>;
  /** Seats of an erased person from now on. */
  moveSeats(seats: readonly PersonSeat[], personId: PersonId): Promise<void>;
  /** DELETED users without manager and role; ended workers without anything but their times. */
  eraseSeats(seats: readonly PersonSeat[], at: Date): Promise<void>;
  /**
   * Forgets which of the seats the person used last; with no seats given, of all. A seat of the same kind that lasts in
   * the tenant is the one that was used.
   */
  forgetLastLogin(personId: PersonId, seats?: readonly PersonSeat[]): Promise<void>;
  /** The tenant without name and address, and the names of its structure and of its roles, standard ones included. */
  eraseTenant(id: TenantId, at: Date): Promise<void>;
  erasePlace(place: ErasablePlace, at: Date): Promise<void>;
}

export const erasingRepository = (db: Database<WorkforceTables>): ErasingRepository => {
  const idsOf = <K extends PersonSeat["kind"]>(seats: readonly PersonSeat[], kind: K): string[] =>
    seats.flatMap((seat) => (seat.kind === kind ? [seat.id] : []));
  /** The person's user in the tenant that is not DELETED, or worker that is not ended. */
  const lasting = (kind: PersonSeat["kind"], personId: PersonId, tenantId: TenantId) =>
    kind === "USER"
      ? db
          .selectFrom("workforce_users")
          .select("id")
          .where("person_id", "=", personId)
          .where("tenant_id", "=", tenantId)
          .where("status", "<>", sql.lit("DELETED"))
      : db
          .selectFrom("workforce_workers")
          .select("id")
          .where("person_id", "=", personId)
          .where("tenant_id", "=", tenantId)
          .where("ended_at", "is", null);
  return {
    async erasePerson(id, email, at) {
      await db
        .updateTable("workforce_people")
        .set({
          ...tombstoneColumns(id, email, at),
          // A link or an address confirmed before is void (R-S8).
          email_changed_at: at.getTime(),
        })
        .where("id", "=", id)
        .execute();
    },

    async createErasedPerson({ id, workerProfileId }, email, at) {
      await db
        .insertInto("workforce_people")
        .values({
          id,
          worker_profile_id: workerProfileId,
          ...tombstoneColumns(id, email, at),
          created_at: at.getTime(),
        })
        .execute();
    },

    async moveSeats(seats, personId) {
      for (const kind of ["USER", "WORKER"] as const)
        await db
          .updateTable(seatTableOf(kind))
          .set({ person_id: personId })
          .where(isOneOf(db, "id", idsOf(seats, kind)))
          .execute();
    },

    async eraseSeats(seats, at) {
      await db
        .updateTable("workforce_users")
        .set({ status: "DELETED", manager_id: null, access_role_id: null })
        .where(isOneOf(db, "id", idsOf(seats, "USER")))
        .execute();
      const workerIds = idsOf(seats, "WORKER");
      await db
        .updateTable("workforce_workers")
        .set(({ fn, val }) => ({
          job_titles: "[]",
          phone: null,
          ...toAddressRow(NO_ADDRESS),
          location_id: null,
          ended_at: fn.coalesce("ended_at", val(at.getTime())),
        }))
        .where(isOneOf(db, "id", workerIds))
        .execute();
      await db
        .deleteFrom("workforce_worker_units")
        .where(isOneOf(db, "worker_id", workerIds))
        .execute();
    },

    async forgetLastLogin(personId, seats) {
      if (seats === undefined) {
        await db.deleteFrom("workforce_last_login_contexts").where("person_id", "=", personId).execute();
        return;
      }
      for (const { kind, tenantId } of seats)
        await db
          .deleteFrom("workforce_last_login_contexts")
          .where("person_id", "=", personId)
          .where("tenant_id", "=", tenantId)
          .where("kind", "=", kind)
          .where(({ exists, not }) => not(exists(lasting(kind, personId, tenantId))))
          .execute();
    },

    async eraseTenant(id, at) {
      const erased = { erased_at: at.getTime() };
      await db
        .updateTable("workforce_tenants")
        .set({ name: ERASED_NAME.tenant, ...toAddressRow(NO_ADDRESS), ...erased })
        .where("id", "=", id)
        .execute();
      await db.deleteFrom("workforce_last_login_contexts").where("tenant_id", "=", id).execute();
      await db
        .updateTable("workforce_unit_types")
        .set({ name: ERASED_NAME.unitType, ...erased })
        .where("tenant_id", "=", id)
        .execute();
      await db
        .updateTable("workforce_units")
        .set({ ...erasedUnit, ...erased })
        .where("tenant_id", "=", id)
        .execute();
      await db
        .updateTable("workforce_locations")
        .set({ name: ERASED_NAME.location })
        .where("tenant_id", "=", id)
        .execute();
      // A name belongs to one role of a tenant, and another role may have the one that a role gets. None ends with a space.
      for (const name of [sql`id || ' '`, sql`${`${ERASED_NAME.role} `} || id`])
        await sql`update workforce_access_roles set name = ${name}, permissions = '[]' where tenant_id = ${id}`.execute(
          db,
        );
      // Reasons name no tenant: those of others lose the list too.
      await db
        .updateTable("workforce_import_bad_lines")
        .set({ reason: UNKNOWN_ROLE })
        .where("reason", "like", `${UNKNOWN_ROLE} %`)
        .execute();
    },

    async erasePlace({ kind, id }, at) {
      const erased = { erased_at: at.getTime() };
      await (kind === "unit"
        ? db
            .updateTable("workforce_units")
            .set({ ...erasedUnit, ...erased })
            .where("id", "=", id)
        : db
            .updateTable("workforce_unit_types")
            .set({ name: ERASED_NAME.unitType, ...erased })
            .where("id", "=", id)
      ).execute();
    },
  };
};

const erasedUnit = { name: ERASED_NAME.unit, unit_code: null, description: null };

const tombstoneColumns = (id: PersonId, email: string, at: Date) => ({
  email,
  email_key: erasedAddressKey(id),
  email_verified: 0,
  first_name: ERASED_PERSON.firstName,
  last_name: ERASED_PERSON.lastName,
  named: 1,
  disabled: 1,
  erased_at: at.getTime(),
});
