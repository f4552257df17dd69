import { type RawBuilder, sql } from "kysely";
import type { OrganizationUnitId, PersonId, TenantId, UnitTypeId, UserId, WorkerId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { byBytes, isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import {
  type EndedWithSeats,
  type ErasablePlace,
  type ErasedCounts,
  type LockedTenant,
  type PersonSeat,
  type SeatPlace,
  seatTableOf,
} from "./erasable.ts";

/** The one repository that reads rows which are erased: what an erasure would end, and how far it is. */
export interface ErasableRepository {
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
  /** What goes with at most `count` seats of the tenant after one, erased ones included, oldest first. */
  countSeatsOf(
    tenantId: TenantId,
    kind: PersonSeat["kind"],
    after: SeatPlace | undefined,
    count: number,
  ): Promise<EndedWithSeats>;
  /** What else a tenant has. */
  countPlacesOf(id: TenantId): Promise<Pick<ErasedCounts, "units" | "unitTypes" | "locations">>;
  /** A unit or a unit type, erased or not. */
  findPlace(place: ErasablePlace): Promise<{ readonly tenantId: TenantId; readonly erasedAt: Date | null } | undefined>;
}

const toDate = (at: number | null | undefined): Date | null => (at === null || at === undefined ? null : new Date(at));

export const erasableRepository = (db: Database<WorkforceTables>): ErasableRepository => {
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
  /** Seats of the tenant after one, oldest first, each as `seat` with its `person`. */
  const seatsAfter = <Row extends object>(
    tenantId: TenantId,
    kind: PersonSeat["kind"],
    after: SeatPlace | undefined,
    count: number,
    columns: RawBuilder<unknown>,
  ) => {
    // True of every worker; the index of their order names it.
    const isAny = kind === "WORKER" ? sql`seat.person_named = 1` : sql`true`;
    return sql<Row & { readonly id: UserId; readonly created_at: number; readonly erased_at: number | null }>`
      select seat.id, seat.created_at, person.erased_at, ${columns}
      from ${sql.table(seatTableOf(kind))} seat join workforce_people person on person.id = seat.person_id
      where ${isAny} and seat.tenant_id = ${tenantId} and (seat.created_at, seat.id) > (${after?.createdAt ?? -1}, ${after?.id ?? ""})
      order by seat.created_at, seat.id limit ${count}`.execute(db);
  };
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
        .selectFrom(seatTableOf(kind))
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
      const { rows } = await seatsAfter<{ person_id: PersonId }>(tenantId, kind, after, count, sql`seat.person_id`);
      return rows.map(({ id, created_at: createdAt, person_id: personId, erased_at: erasedAt }) => ({
        id,
        personId,
        createdAt: Number(createdAt),
        isErased: erasedAt !== null,
      }));
    },

    async countSeatsOf(tenantId, kind, after, count) {
      const otherThan = (table: "workforce_users" | "workforce_workers", isOther: RawBuilder<unknown>) =>
        sql`not exists (select 1 from ${sql.table(table)} other where other.person_id = seat.person_id and ${isOther})`;
      const isElsewhere = sql`other.tenant_id <> ${tenantId}`;
      const isBefore = sql`(${isElsewhere} or (other.created_at, other.id) < (seat.created_at, seat.id))`;
      // A person goes with the first of their seats, of which users come before workers.
      const isFirst =
        kind === "USER"
          ? sql`${otherThan("workforce_users", isBefore)} and ${otherThan("workforce_workers", isElsewhere)}`
          : sql`${otherThan("workforce_users", sql`true`)} and ${otherThan("workforce_workers", isBefore)}`;
      const endsPerson = sql`case when ${isFirst} then 1 else 0 end as ends_person`;
      const { rows } = await seatsAfter<{ ends_person: number }>(tenantId, kind, after, count, endsPerson);
      const ended = rows.filter(({ erased_at: at }) => at === null);
      const last = rows.length < count ? undefined : rows.at(-1);
      return {
        seats: ended.length,
        people: ended.filter(({ ends_person: endsPerson }) => endsPerson === 1).length,
        next: last && { id: last.id, createdAt: Number(last.created_at) },
      };
    },

    async countPlacesOf(id) {
      return {
        units: await countOf("workforce_units", id),
        unitTypes: await countOf("workforce_unit_types", id),
        locations: await countOf("workforce_locations", id),
      };
    },

    async findPlace({ kind, id }) {
      const row = await db
        .selectFrom(kind === "unit" ? "workforce_units" : "workforce_unit_types")
        .select(["tenant_id", "erased_at"])
        .where("id", "=", id as OrganizationUnitId & UnitTypeId)
        .executeTakeFirst();
      return row && { tenantId: row.tenant_id, erasedAt: toDate(row.erased_at) };
    },
  };
};
