import type { OnboardWorkerRequest } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { ADDRESS_PATHS, addressAfter, namedParts } from "../postal-address.ts";
import { type FieldReader, LENGTHS } from "../request-fields.ts";
import { JOB_TITLES_MAX, UNITS_MAX, type Worker } from "./worker.ts";

/** What an update of a worker may name. */
export const WORKER_PATHS = [
  "job_titles",
  "phone",
  ...ADDRESS_PATHS,
  "unit_ids",
  "primary_unit_id",
  "location_id",
] as const;

type WorkerMask = ReadonlySet<(typeof WORKER_PATHS)[number]>;

/** The facts of an employment besides its person and tenant; all of them can change. */
type Employment = Pick<Worker, "jobTitles" | "phone" | "address" | "unitIds" | "primaryUnitId" | "locationId">;

/** Reads the fields that `mask` names; the others are not looked at and read as empty. */
export const readEmployment = (
  fields: FieldReader,
  request: Pick<OnboardWorkerRequest, keyof Employment>,
  mask: WorkerMask = new Set(WORKER_PATHS),
): Employment => ({
  jobTitles: mask.has("job_titles")
    ? fields.texts("job_titles", request.jobTitles, LENGTHS.jobTitle, JOB_TITLES_MAX)
    : [],
  phone: mask.has("phone") ? fields.optionalText("phone", request.phone, LENGTHS.phone) : null,
  address: fields.address("address", namedParts(request.address, mask)),
  unitIds: mask.has("unit_ids") ? fields.ids("unit_ids", "organizationUnit", request.unitIds, UNITS_MAX) : [],
  primaryUnitId: mask.has("primary_unit_id")
    ? fields.optionalId("primary_unit_id", "organizationUnit", request.primaryUnitId)
    : null,
  locationId: mask.has("location_id")
    ? fields.optionalId("location_id", "organizationLocation", request.locationId)
    : null,
});

/**
 * The worker after an update that names `mask`. A primary unit that is not named stays, if it is one of the worker's
 * units still.
 */
export function workerAfter(before: Worker, given: Employment, mask: WorkerMask): Worker {
  const unitIds = mask.has("unit_ids") ? given.unitIds : before.unitIds;
  const kept = unitIds.find((id) => id === before.primaryUnitId) ?? null;
  return {
    ...before,
    jobTitles: mask.has("job_titles") ? given.jobTitles : before.jobTitles,
    phone: mask.has("phone") ? given.phone : before.phone,
    address: addressAfter(before.address, given.address, mask),
    unitIds,
    primaryUnitId: mask.has("primary_unit_id") ? given.primaryUnitId : kept,
    locationId: mask.has("location_id") ? given.locationId : before.locationId,
  };
}

/** True when the primary unit is one of the worker's units, or there is none. */
export const hasItsPrimaryUnit = ({ unitIds, primaryUnitId }: Pick<Worker, "unitIds" | "primaryUnitId">): boolean =>
  primaryUnitId === null || unitIds.includes(primaryUnitId);
