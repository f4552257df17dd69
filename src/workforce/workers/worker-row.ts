import type { OrganizationLocationId, OrganizationUnitId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import { type PersonRow, toPerson } from "../people/person-row.ts";
import { toPostalAddress } from "../postal-address.ts";
import type { AddressColumns } from "../tables.ts";
import type { Worker, WorkerInPlace } from "./worker.ts";

/** The columns of a worker as they are read, besides those of the person: one row for each of its units, or one without. */
export const WORKER_COLUMNS = [
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
] as const;

/** One row for each unit of a worker, or one without, read with WORKER_COLUMNS and PERSON_COLUMNS. */
export interface WorkerRow extends PersonRow, AddressColumns {
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

/** The same with the names of the unit and of the worker's location. */
export interface PlacedRow extends WorkerRow {
  readonly unit_name: string | null;
  readonly location_name: string | null;
}

/** @param rows all of one worker, at least one, units in their order. */
export function toWorker(rows: readonly WorkerRow[]): Worker {
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

/** @param rows all of one worker, at least one. */
export function toWorkerInPlace(rows: readonly PlacedRow[]): WorkerInPlace {
  const [{ location_name: locationName }] = rows as [PlacedRow];
  const worker = toWorker(rows);
  const units = rows.flatMap(({ unit_id: id, unit_name: name }) =>
    id === null || name === null ? [] : [{ id, name }],
  );
  return {
    worker,
    units,
    primaryUnit: units.find(({ id }) => id === worker.primaryUnitId) ?? null,
    location:
      worker.locationId === null || locationName === null ? null : { id: worker.locationId, name: locationName },
  };
}
