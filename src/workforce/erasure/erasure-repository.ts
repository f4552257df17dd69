import { sql } from "kysely";
import type {
  InstanceId,
  OrganizationUnitId,
  PersonId,
  TenantId,
  UnitTypeId,
  UserId,
  WorkerId,
  WorkerProfileId,
} from "#runtime/basis/ids.ts";
import { byBytes, isOneOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { NO_ADDRESS, toAddressRow } from "../postal-address.ts";
import type { WorkforceTables } from "../tables.ts";
import { ERASED_NAME, ERASED_PERSON, erasedAddressKey } from "./tombstone.ts";

/** A user or worker of a person, erased or not. */
export type PersonSeat =
  | { readonly kind: "USER"; readonly id: UserId; readonly tenantId: TenantId }
  | { readonly kind: "WORKER"; readonly id: WorkerId; readonly tenantId: TenantId };

/** A place in the order of a tenant's users or workers. */
export interface SeatPlace {
  readonly id: UserId | WorkerId;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A tenant as an erasure locks it. */
export interface LockedTenant {
  readonly id: TenantId;
  readonly instanceId: InstanceId;
  readonly erasedAt: Date | null;
}

/** How many of each an erasure ends. */
export interface ErasedCounts {
  readonly people: number;
  readonly users: number;
  readonly workers: number;
  readonly units: number;
  readonly unitTypes: number;
  readonly locations: number;
}

/** The seats and the person that were erased. */
export interface ErasedSeats {
  readonly seats: readonly PersonSeat[];
  readonly isPersonErased: boolean;
}

/** The one repository that reads and writes rows that are erased. */
export interface ErasureRepository {
  /** Locks tenants, erased ones too, in the order of their ids. */
  lockTenants(ids: readonly TenantId[]): Promise<ReadonlyMap<TenantId, LockedTenant>>;
  findTenant(id: TenantId): Promise<{ readonly erasedAt: Date | null } | undefined>;
  /** When the person was erased; `null` when it is not, `undefined` when there is none. */
  personErasedAt(id: PersonId): Promise<Date | null | undefined>;
  /** Whose seat it is; `undefined` when there is none. */
  findSeat(kind: PersonSeat["kind"], id: UserId | WorkerId): Promise<(PersonSeat & { personId: PersonId }) | undefined>;
  /** All seats of the person, DELETED and ended ones included, users first. */
  listSeats(personId: PersonId): Promise<readonly PersonSeat[]>;
  /** At most `count` seats of the tenant after one, erased ones included, oldest first. */
  listSeatsOf(
    tenantId: TenantId,
    kind: PersonSeat["kind"],
    after: SeatPlace | undefined,
    count: number,
  ): Promise<readonly (SeatPlace & { readonly personId: PersonId; readonly isErased: boolean })[]>;
  countTenant(id: TenantId): Promise<ErasedCounts>;
  erasePerson(id: PersonId, email: string, at: Date): Promise<void>;
  /** A row without a human being, to which an erased seat belongs. */
  createErasedPerson(ids: { id: PersonId; workerProfileId: WorkerProfileId }, email: string, at: Date): Promise<void>;
  /** Seats of an erased person from now on. */
  moveSeats(seats: readonly PersonSeat[], personId: PersonId): Promise<void>;
  /** DELETED users without manager and role; ended workers without anything but their times. */
  eraseSeats(seats: readonly PersonSeat[], at: Date): Promise<void>;
  /** Forgets which of the seats the person used last; with no seats given, of all. */
  forgetLastLogin(personId: PersonId, seats?: readonly PersonSeat[]): Promise<void>;
  /** The tenant without name and address, and the names of its structure and of its own roles. */
  eraseTenant(id: TenantId, at: Date): Promise<void>;
  /** A unit or a unit type, erased or not. */
  findPlace(place: ErasablePlace): Promise<{ readonly tenantId: TenantId; readonly erasedAt: Date | null } | undefined>;
  erasePlace(place: ErasablePlace, at: Date): Promise<void>;
}

/** A unit or a unit type. */
export type ErasablePlace =
  | { readonly kind: "unit"; readonly id: OrganizationUnitId }
  | { readonly kind: "unitType"; readonly id: UnitTypeId };

const toDate = (at: number | null | undefined): Date | null => (at === null || at === undefined ? null : new Date(at));

export const erasureRepository = (db: Database<WorkforceTables>): ErasureRepository => {
  const tableOf = (kind: PersonSeat["kind"]) => (kind === "USER" ? "workforce_users" : "workforce_workers");
  const idsOf = <K extends PersonSeat["kind"]>(seats: readonly PersonSeat[], kind: K): string[] =>
    seats.flatMap((seat) => (seat.kind === kind ? [seat.id] : []));
  const countOf = async (table: "workforce_units" | "workforce_unit_types" | "workforce_locations", id: TenantId) =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as("count"))
          .where("tenant_id", "=", id)
          .executeTakeFirstOrThrow()
      ).count,
    );
  const peopleIn = (seats: "workforce_users" | "workforce_workers", id: TenantId) =>
    db
      .selectFrom(seats)
      .innerJoin("workforce_people as person", "person.id", `${seats}.person_id`)
      .where(`${seats}.tenant_id`, "=", id)
      .where("person.erased_at", "is", null);
  return {
    async lockTenants(ids) {
      if (ids.length === 0) return new Map();
      const tenants = db
        .selectFrom("workforce_tenants")
        .select(["id", "instance_id", "erased_at"])
        .where(isOneOf(db, "id", ids))
        .orderBy(byBytes(db, "id"));
      const rows = await (isSqlite(db) ? tenants : tenants.forNoKeyUpdate()).execute();
      return new Map(
        rows.map(({ id, instance_id: instanceId, erased_at: at }) => [id, { id, instanceId, erasedAt: toDate(at) }]),
      );
    },

    async findTenant(id) {
      const row = await db.selectFrom("workforce_tenants").select("erased_at").where("id", "=", id).executeTakeFirst();
      return row && { erasedAt: toDate(row.erased_at) };
    },

    async personErasedAt(id) {
      const row = await db.selectFrom("workforce_people").select("erased_at").where("id", "=", id).executeTakeFirst();
      return row && toDate(row.erased_at);
    },

    async findSeat(kind, id) {
      const row = await db
        .selectFrom(tableOf(kind))
        .select(["id", "tenant_id as tenantId", "person_id as personId"])
        .where("id", "=", id as UserId & WorkerId)
        .executeTakeFirst();
      return row && ({ kind, ...row } as PersonSeat & { personId: PersonId });
    },

    async listSeats(personId) {
      const [users, workers] = [
        await db
          .selectFrom("workforce_users")
          .select(["id", "tenant_id as tenantId"])
          .where("person_id", "=", personId)
          .orderBy("created_at")
          .execute(),
        await db
          .selectFrom("workforce_workers")
          .select(["id", "tenant_id as tenantId"])
          .where("person_id", "=", personId)
          .orderBy("created_at")
          .execute(),
      ];
      return [
        ...users.map((seat) => ({ kind: "USER" as const, ...seat })),
        ...workers.map((seat) => ({ kind: "WORKER" as const, ...seat })),
      ];
    },

    async listSeatsOf(tenantId, kind, after, count) {
      const seats = tableOf(kind);
      const { rows } = await sql<{ id: UserId; created_at: number; person_id: PersonId; erased_at: number | null }>`
        select seat.id, seat.created_at, seat.person_id, person.erased_at
        from ${sql.table(seats)} seat join workforce_people person on person.id = seat.person_id
        where seat.tenant_id = ${tenantId} and (seat.created_at, seat.id) > (${after?.createdAt ?? -1}, ${after?.id ?? ""})
        order by seat.created_at, seat.id limit ${count}`.execute(db);
      return rows.map(({ id, created_at: createdAt, person_id: personId, erased_at: erasedAt }) => ({
        ...{ id, personId },
        createdAt: Number(createdAt),
        isErased: erasedAt !== null,
      }));
    },

    async countTenant(id) {
      const count = async (seats: "workforce_users" | "workforce_workers") =>
        Number(
          (
            await peopleIn(seats, id)
              .select(({ fn }) => fn.countAll().as("count"))
              .executeTakeFirstOrThrow()
          ).count,
        );
      const elsewhere = (seats: "workforce_users" | "workforce_workers") =>
        sql`exists (select 1 from ${sql.table(seats)} other where other.person_id = person.id and other.tenant_id <> ${id})`;
      const here = (seats: "workforce_users" | "workforce_workers") =>
        sql`exists (select 1 from ${sql.table(seats)} seat where seat.person_id = person.id and seat.tenant_id = ${id})`;
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from workforce_people person
        where person.erased_at is null and (${here("workforce_users")} or ${here("workforce_workers")})
          and not ${elsewhere("workforce_users")} and not ${elsewhere("workforce_workers")}`.execute(db);
      return {
        people: Number(rows[0]?.count ?? 0),
        users: await count("workforce_users"),
        workers: await count("workforce_workers"),
        units: await countOf("workforce_units", id),
        unitTypes: await countOf("workforce_unit_types", id),
        locations: await countOf("workforce_locations", id),
      };
    },

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
          .updateTable(tableOf(kind))
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
          .execute();
    },

    async eraseTenant(id, at) {
      const erased = { erased_at: at.getTime() };
      await db
        .updateTable("workforce_tenants")
        .set({ name: ERASED_NAME.tenant, ...toAddressRow(NO_ADDRESS), ...erased })
        .where("id", "=", id)
        .execute();
      // Every user goes; none reports a manager that went before it.
      await db.updateTable("workforce_users").set({ manager_id: null }).where("tenant_id", "=", id).execute();
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
      // A name belongs to one role of a tenant.
      await sql`update workforce_access_roles set name = ${`${ERASED_NAME.role} `} || id, permissions = '[]'
        where tenant_id = ${id} and kind = 'CUSTOM'`.execute(db);
    },

    async findPlace({ kind, id }) {
      const row = await db
        .selectFrom(kind === "unit" ? "workforce_units" : "workforce_unit_types")
        .select(["tenant_id", "erased_at"])
        .where("id", "=", id as OrganizationUnitId & UnitTypeId)
        .executeTakeFirst();
      return row && { tenantId: row.tenant_id, erasedAt: toDate(row.erased_at) };
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
