import type { PersonId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import { byBytes, insertRows, isOneOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import { PERSON_COLUMNS } from "../../people/person-row.ts";
import { toAddressRow } from "../../postal-address.ts";
import type { WorkforceTables } from "../../tables.ts";
import type { Worker } from "../../workers/worker.ts";
import { toWorker, WORKER_COLUMNS } from "../../workers/worker-row.ts";
import type { HeldSeat } from "../held-seats.ts";

/** Many workers by one statement, ended ones too. */
export interface BulkWorkerRepository {
  /** Those of the ids that exist, in whichever tenant. */
  findAll(ids: readonly WorkerId[]): Promise<Worker[]>;
  /** Workers of the people that are not ended. */
  listSeats(personIds: readonly PersonId[]): Promise<HeldSeat<WorkerId>[]>;
  createAll(workers: readonly Worker[]): Promise<void>;
  /** Ids of the tenant's workers after one, in the order of its bytes. */
  listIdsAfter(tenantId: TenantId, after: string, count: number): Promise<WorkerId[]>;
}

export const bulkWorkerRepository = (db: Database<WorkforceTables>): BulkWorkerRepository => ({
  async findAll(ids) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("workforce_workers as worker")
      .innerJoin("workforce_people", "workforce_people.id", "worker.person_id")
      .leftJoin("workforce_worker_units as placed", "placed.worker_id", "worker.id")
      .select(PERSON_COLUMNS)
      .select(WORKER_COLUMNS)
      .where(isOneOf(db, "worker.id", ids))
      .orderBy("worker.id")
      .orderBy("placed.position")
      .execute();
    return [...Map.groupBy(rows, ({ id }) => id).values()].map(toWorker);
  },

  async listSeats(personIds) {
    if (personIds.length === 0) return [];
    const rows = await db
      .selectFrom("workforce_workers")
      .select(["id", "tenant_id", "person_id"])
      .where(isOneOf(db, "person_id", personIds))
      .where("ended_at", "is", null)
      .execute();
    return rows.map(({ id, tenant_id, person_id }) => ({ id, tenantId: tenant_id, personId: person_id }));
  },

  async createAll(workers) {
    await insertRows(db, "workforce_workers", workers.map(toWorkerRow));
    await insertRows(db, "workforce_worker_units", workers.flatMap(toPlacedRows));
  },

  async listIdsAfter(tenantId, after, count) {
    const rows = await db
      .selectFrom("workforce_workers")
      .select("id")
      .where("tenant_id", "=", tenantId)
      .where(byBytes(db, "id"), ">", after)
      .orderBy(byBytes(db, "id"))
      .limit(count)
      .execute();
    return rows.map(({ id }) => id);
  },
});

const toWorkerRow = (worker: Worker) => ({
  id: worker.id,
  tenant_id: worker.tenantId,
  person_id: worker.person.id,
  person_named: 1,
  job_titles: JSON.stringify(worker.jobTitles),
  phone: worker.phone,
  ...toAddressRow(worker.address),
  location_id: worker.locationId,
  created_at: worker.createdAt.getTime(),
  ended_at: worker.endedAt?.getTime() ?? null,
});

const toPlacedRows = ({ id, tenantId, unitIds, primaryUnitId }: Worker) =>
  unitIds.map((unitId, position) => ({
    tenant_id: tenantId,
    worker_id: id,
    unit_id: unitId,
    position,
    is_primary: unitId === primaryUnitId ? 1 : 0,
  }));
