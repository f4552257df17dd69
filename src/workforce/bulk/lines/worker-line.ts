import { LENGTHS } from "../../request-fields.ts";
import { JOB_TITLES_MAX, UNITS_MAX, type Worker } from "../../workers/worker.ts";
import { hasItsPrimaryUnit } from "../../workers/worker-fields.ts";
import { shown, shownAddress, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";
import { readPersonReference } from "./person-line.ts";

export function readWorkerLine(fields: LineFields) {
  const unitIds = fields.ids("unitIds", "organizationUnit", UNITS_MAX);
  const primaryUnitId = fields.optionalId("primaryUnitId", "organizationUnit");
  fields.check(hasItsPrimaryUnit({ unitIds, primaryUnitId }), "primaryUnitId", "must be one of unitIds");
  return {
    id: fields.id("id", "worker"),
    tenantId: fields.id("tenantId", "tenant"),
    person: readPersonReference(fields, "required"),
    jobTitles: fields.texts("jobTitles", LENGTHS.jobTitle, JOB_TITLES_MAX),
    phone: fields.optionalText("phone", LENGTHS.phone),
    address: fields.address("address"),
    unitIds,
    primaryUnitId,
    locationId: fields.optionalId("locationId", "organizationLocation"),
    createdAt: fields.instant("createdAt"),
    endedAt: fields.instant("endedAt"),
  };
}

export const toWorkerLine = (worker: Worker): WrittenLine<ReturnType<typeof readWorkerLine>> => ({
  kind: "worker",
  id: worker.id,
  tenantId: worker.tenantId,
  personId: worker.person.id,
  jobTitles: shown(worker.jobTitles),
  phone: shown(worker.phone),
  address: shownAddress(worker.address),
  unitIds: shown(worker.unitIds),
  primaryUnitId: shown(worker.primaryUnitId),
  locationId: shown(worker.locationId),
  createdAt: worker.createdAt,
  endedAt: shown(worker.endedAt),
});
