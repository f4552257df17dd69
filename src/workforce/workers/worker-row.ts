import type { OrganizationLocationId, OrganizationUnitId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import { type PersonRow, toPerson } from "../people/person-row.ts";
import { type AddressColumns, toAddressRow, toPostalAddress } from "../postal-address.ts";
import type { ListedWorker, PlacedWorker, Placement, ShownWorker, Worker } from "./worker.ts";

/** The columns that every read of a worker has, besides those of the person. */
const SHOWN_COLUMNS = [
  "worker.id",
  "worker.job_titles",
  "worker.phone",
  "worker.address1",
  "worker.address2",
  "worker.city",
  "worker.iso_country_code",
  "worker.postal_code",
  "worker.zone_code",
  "worker.created_at",
] as const;

/** All that a list of the gateway's reads: a page of it is wide enough as it is. */
export const LISTED_COLUMNS = [
  ...SHOWN_COLUMNS,
  "workforce_people.first_name",
  "workforce_people.last_name",
  "workforce_people.email",
] as const;

/** Where a worker is placed; `placed` are the worker's units, one row for each. */
export const PLACE_COLUMNS = [
  "worker.location_id",
  "location.name as location_name",
  "placed.unit_id",
  "placed.is_primary",
  "unit.name as unit_name",
] as const;

/** A whole worker, to be read with PERSON_COLUMNS and the worker's units, by PLACE_COLUMNS or WORKER_UNIT_COLUMNS. */
export const WORKER_COLUMNS = [...SHOWN_COLUMNS, "worker.tenant_id", "worker.ended_at"] as const;

/** Units and location of a worker without their names. */
export const WORKER_UNIT_COLUMNS = ["worker.location_id", "placed.unit_id", "placed.is_primary"] as const;

interface ShownRow extends AddressColumns {
  readonly id: WorkerId;
  readonly job_titles: string;
  readonly phone: string | null;
  readonly created_at: number;
}

interface ListedRow extends ShownRow {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

interface UnitRow {
  readonly location_id: OrganizationLocationId | null;
  readonly unit_id: OrganizationUnitId | null;
  readonly is_primary: number | null;
}

interface PlaceRow extends UnitRow {
  readonly location_name: string | null;
  readonly unit_name: string | null;
}

interface WorkerRow extends ShownRow, PersonRow, UnitRow {
  readonly tenant_id: TenantId;
  readonly ended_at: number | null;
}

const toShown = (row: ShownRow) => ({
  id: row.id,
  jobTitles: JSON.parse(row.job_titles) as string[],
  phone: row.phone,
  address: toPostalAddress(row),
  createdAt: new Date(row.created_at),
});

export const toListedWorker = (row: ListedRow): ListedWorker => ({
  ...toShown(row),
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
});

const toInstant = (at: number | null): Date | null => (at === null ? null : new Date(at));

const primaryIn = (rows: readonly UnitRow[]): OrganizationUnitId | null =>
  rows.find(({ is_primary }) => is_primary === 1)?.unit_id ?? null;

/** @param rows all of one worker, at least one, units in their order. */
export function toWorker(rows: readonly WorkerRow[]): Worker {
  const [row] = rows as [WorkerRow];
  return {
    ...toShown(row),
    tenantId: row.tenant_id,
    person: toPerson(row),
    unitIds: rows.map(({ unit_id }) => unit_id).filter((id) => id !== null),
    primaryUnitId: primaryIn(rows),
    locationId: row.location_id,
    endedAt: toInstant(row.ended_at),
  };
}

/** @param rows all of one worker, at least one, units in their order. */
function toPlacement(rows: readonly PlaceRow[]): Placement {
  const [{ location_id: locationId, location_name: locationName }] = rows as [PlaceRow];
  const primaryId = primaryIn(rows);
  const units = rows.flatMap(({ unit_id: id, unit_name: name }) =>
    id === null || name === null ? [] : [{ id, name }],
  );
  return {
    units,
    primaryUnit: units.find(({ id }) => id === primaryId) ?? null,
    location: locationId === null || locationName === null ? null : { id: locationId, name: locationName },
  };
}

/** @param rows all of one worker, at least one. */
export const toPlacedWorker = (rows: readonly (WorkerRow & PlaceRow)[]): PlacedWorker => ({
  worker: toWorker(rows),
  ...toPlacement(rows),
});

/** @param rows all of one worker, at least one. */
export function toShownWorker(rows: readonly (ListedRow & PlaceRow & Pick<WorkerRow, "ended_at">)[]): ShownWorker {
  const [row] = rows as [(typeof rows)[number]];
  return { worker: toListedWorker(row), ...toPlacement(rows), endedAt: toInstant(row.ended_at) };
}

/** What may change about a worker, as columns; its units are rows of their own. */
export const toWorkerColumns = ({ jobTitles, phone, address, locationId, endedAt }: Worker) => ({
  job_titles: JSON.stringify(jobTitles),
  phone,
  ...toAddressRow(address),
  location_id: locationId,
  ended_at: endedAt?.getTime() ?? null,
});

export const toUnitRows = ({ id, tenantId, unitIds, primaryUnitId }: Worker) =>
  unitIds.map((unitId, position) => ({
    tenant_id: tenantId,
    worker_id: id,
    unit_id: unitId,
    position,
    is_primary: unitId === primaryUnitId ? 1 : 0,
  }));
