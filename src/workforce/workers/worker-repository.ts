import type { OrganizationLocationId, OrganizationUnitId, PersonId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { PERSON_COLUMNS, type PersonRow, toPerson } from "../people/person-row.ts";
import { toAddressRow, toPostalAddress } from "../postal-address.ts";
import type { AddressColumns, WorkforceTables } from "../tables.ts";
import type { Worker } from "./worker.ts";

export interface WorkerRepository {
  /** Workers of the tenant that are not ended, by creation time, then id (R-G16). Empty when none. */
  listByTenant(tenantId: TenantId): Promise<Worker[]>;
  /** The person's worker in the tenant that is not ended; there is at most one. */
  findSeat(tenantId: TenantId, personId: PersonId): Promise<WorkerId | undefined>;
  create(worker: Worker): Promise<void>;
}

export const workerRepository = (db: Database<WorkforceTables>): WorkerRepository => {
  // One row for each unit of a worker, or one with null: a single read, so that workers and units are of one instant.
  const ofTenant = prepared(db, (value: ValueOf<{ tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_workers as worker")
      .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
      .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
      .select(PERSON_COLUMNS)
      .select([
        "worker.id",
        "worker.tenant_id",
        "worker.job_titles",
        "worker.phone",
        "worker.address1",
        "worker.address2",
        "worker.city",
        "worker.iso_country_code",
        "worker.postal_code",
        "worker.zone_code",
        "worker.location_id",
        "worker.created_at",
        "worker.ended_at",
        "placed.unit_id",
        "placed.is_primary",
      ])
      .where("worker.tenant_id", "=", value("tenantId"))
      .where("worker.ended_at", "is", null)
      .orderBy("worker.created_at")
      .orderBy("worker.id")
      .orderBy("placed.position"),
  );
  return {
    async listByTenant(tenantId) {
      const rows = await ofTenant.all({ tenantId });
      return [...Map.groupBy(rows, ({ id }) => id).values()].map(toWorker);
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

    async create(worker) {
      const { id, tenantId, person, jobTitles, phone, address, unitIds, primaryUnitId, locationId } = worker;
      await db
        .insertInto("workforce_workers")
        .values({
          id,
          tenant_id: tenantId,
          person_id: person.id,
          person_named: 1,
          job_titles: JSON.stringify(jobTitles),
          phone,
          ...toAddressRow(address),
          location_id: locationId,
          created_at: worker.createdAt.getTime(),
          ended_at: worker.endedAt?.getTime() ?? null,
        })
        .execute();
      if (unitIds.length === 0) return;
      const placed = unitIds.map((unitId, position) => ({
        tenant_id: tenantId,
        worker_id: id,
        unit_id: unitId,
        position,
        is_primary: unitId === primaryUnitId ? 1 : 0,
      }));
      await db.insertInto("workforce_worker_units").values(placed).execute();
    },
  };
};

interface WorkerRow extends PersonRow, AddressColumns {
  readonly id: WorkerId;
  readonly tenant_id: TenantId;
  readonly job_titles: string;
  readonly phone: string | null;
  readonly location_id: OrganizationLocationId | null;
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly unit_id: OrganizationUnitId | null;
  readonly is_primary: number | null;
}

/** @param rows all of one worker, at least one. */
function toWorker(rows: readonly WorkerRow[]): Worker {
  const [row] = rows as [WorkerRow];
  return {
    id: row.id,
    tenantId: row.tenant_id,
    person: toPerson(row),
    jobTitles: JSON.parse(row.job_titles) as string[],
    phone: row.phone,
    address: toPostalAddress(row),
    unitIds: rows.map(({ unit_id }) => unit_id).filter((id) => id !== null),
    primaryUnitId: rows.find(({ is_primary }) => is_primary === 1)?.unit_id ?? null,
    locationId: row.location_id,
    createdAt: new Date(row.created_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  };
}
