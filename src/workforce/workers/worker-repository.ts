import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { OrganizationLocationId, PersonId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import { batchOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import { PERSON_COLUMNS } from "../people/person-row.ts";
import { toAddressRow } from "../postal-address.ts";
import { isSame } from "../same.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Worker, WorkerInPlace } from "./worker.ts";
import { type PlacedRow, toWorkerInPlace, WORKER_COLUMNS } from "./worker-row.ts";

export interface WorkerRepository {
  /** Workers of the tenant that are not ended, by creation time, then id; one more than the page has, if there are more. */
  listPlaced(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<WorkerInPlace[]>;
  /** The same with those that are ended. */
  listEverPlaced(tenantId: TenantId, page: LimitedPage<WorkerId>): Promise<WorkerInPlace[]>;
  /** Some of the workers placed at a location, ended ones too, at most `count`. Empty when there are none. */
  listPlacedAt(locationId: OrganizationLocationId, tenantId: TenantId, count: number): Promise<WorkerInPlace[]>;
  /** An ended one too (R-G16). */
  findPlaced(id: WorkerId, tenantId: TenantId): Promise<WorkerInPlace | undefined>;
  /** The person's workers in the tenant, ended ones included, oldest first. */
  listPlacedOfPerson(personId: PersonId, tenantId: TenantId): Promise<WorkerInPlace[]>;
  /** The person's worker in the tenant that is not ended; there is at most one. */
  findSeat(tenantId: TenantId, personId: PersonId): Promise<WorkerId | undefined>;
  /** A worker never moves to another tenant. */
  tenantOf(id: WorkerId): Promise<TenantId | undefined>;
  create(worker: Worker): Promise<void>;
  /** Writes what has changed of a worker: all but its person, tenant and creation time can. */
  replace(before: Worker, after: Worker): Promise<void>;
  /** Takes the workers away from where they are placed; their units stay. */
  clearLocation(ids: readonly WorkerId[]): Promise<void>;
}

export const workerRepository = (db: Database<WorkforceTables>): WorkerRepository => {
  // Who is asked for, as `asked`, with names of places: a single read. One row for each unit of a worker, or one with
  // null, so that workers and units are of one instant.
  const placed = <P extends object>(asked: (value: ValueOf<P>) => Asked) =>
    prepared(db, (value: ValueOf<P>) =>
      db
        .selectFrom(asked(value).as("worker"))
        .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
        .leftJoin("workforce_locations as location", "location.id", "worker.location_id")
        .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
        .leftJoin("workforce_units as unit", "unit.id", "placed.unit_id")
        .select(PERSON_COLUMNS)
        .select(WORKER_COLUMNS)
        .select(["location.name as location_name", "unit.name as unit_name"])
        .orderBy("worker.created_at")
        .orderBy("worker.id")
        .orderBy("placed.position"),
    );
  const onePlaced = placed((value: ValueOf<{ id: WorkerId; tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_workers")
      .selectAll()
      .where("id", "=", value("id"))
      .where("tenant_id", "=", value("tenantId")),
  );
  const pagePlaced = (asked: () => Asked) =>
    placed((value: ValueOf<PageValues<WorkerId> & { tenantId: TenantId }>) =>
      asked()
        .where("tenant_id", "=", value("tenantId"))
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple("created_at", "id"), ">", tuple(value("afterCreatedAt"), value("afterId"))),
        )
        .orderBy("created_at")
        .orderBy("id")
        .limit(value("count")),
    );
  const ever = () => db.selectFrom("workforce_workers").selectAll();
  // True of every worker; the index of this list names it.
  const everPlaced = pagePlaced(() => ever().where("person_named", "=", sql.lit(1)));
  const presentlyPlaced = pagePlaced(() => ever().where("ended_at", "is", null));
  const placedAt = placed((value: ValueOf<{ locationId: OrganizationLocationId; tenantId: TenantId; count: number }>) =>
    ever()
      .where("tenant_id", "=", value("tenantId"))
      .where("location_id", "=", value("locationId"))
      .orderBy("id")
      .limit(value("count")),
  );
  const placedOfPerson = placed((value: ValueOf<{ personId: PersonId; tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_workers")
      .selectAll()
      .where("person_id", "=", value("personId"))
      .where("tenant_id", "=", value("tenantId")),
  );
  return {
    async listPlaced(tenantId, page) {
      return groupPlaced(await presentlyPlaced.all({ tenantId, ...toPageValues(page) }));
    },

    async listEverPlaced(tenantId, page) {
      return groupPlaced(await everPlaced.all({ tenantId, ...toPageValues(page) }));
    },

    async listPlacedAt(locationId, tenantId, count) {
      return groupPlaced(await placedAt.all({ locationId, tenantId, count }));
    },

    async findPlaced(id, tenantId) {
      const rows = await onePlaced.all({ id, tenantId });
      return rows.length === 0 ? undefined : toWorkerInPlace(rows);
    },

    async listPlacedOfPerson(personId, tenantId) {
      const rows = await placedOfPerson.all({ personId, tenantId });
      return [...Map.groupBy(rows, ({ id }) => id).values()].map(toWorkerInPlace);
    },

    async findSeat(tenantId, personId) {
      const row = await db
        .selectFrom("workforce_workers")
        .select("id")
        .where("tenant_id", "=", tenantId)
        .where("person_id", "=", personId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return row?.id;
    },

    async tenantOf(id) {
      const row = await db.selectFrom("workforce_workers").select("tenant_id").where("id", "=", id).executeTakeFirst();
      return row?.tenant_id;
    },

    async create(worker) {
      const { id, tenantId, person, createdAt } = worker;
      await db
        .insertInto("workforce_workers")
        .values({
          id,
          tenant_id: tenantId,
          person_id: person.id,
          person_named: 1,
          created_at: createdAt.getTime(),
          ...toChangeable(worker),
        })
        .execute();
      await place(worker);
    },

    async replace(before, after) {
      await db.updateTable("workforce_workers").set(toChangeable(after)).where("id", "=", after.id).execute();
      const isPlacedAlike = after.primaryUnitId === before.primaryUnitId && isSame(after.unitIds, before.unitIds);
      if (isPlacedAlike) return;
      await db.deleteFrom("workforce_worker_units").where("worker_id", "=", after.id).execute();
      await place(after);
    },

    async clearLocation(ids) {
      const batch = batchOf(
        db,
        ids.map((id) => ({ id })),
      );
      await db
        .updateTable("workforce_workers")
        .set({ location_id: null })
        .where(sql<boolean>`id in (select batch.value ->> 'id' from ${batch})`)
        .execute();
    },
  };

  async function place({ id, tenantId, unitIds, primaryUnitId }: Worker): Promise<void> {
    if (unitIds.length === 0) return;
    const placed = unitIds.map((unitId, position) => ({
      tenant_id: tenantId,
      worker_id: id,
      unit_id: unitId,
      position,
      is_primary: unitId === primaryUnitId ? 1 : 0,
    }));
    await db.insertInto("workforce_worker_units").values(placed).execute();
  }
};

const toChangeable = ({ jobTitles, phone, address, locationId, endedAt }: Worker) => ({
  job_titles: JSON.stringify(jobTitles),
  phone,
  ...toAddressRow(address),
  location_id: locationId,
  ended_at: endedAt?.getTime() ?? null,
});

const groupPlaced = (rows: readonly PlacedRow[]): WorkerInPlace[] =>
  [...Map.groupBy(rows, ({ id }) => id).values()].map(toWorkerInPlace);

type Asked = SelectQueryBuilder<WorkforceTables, "workforce_workers", Selectable<WorkforceTables["workforce_workers"]>>;
