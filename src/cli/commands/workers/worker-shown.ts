import type { Worker } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked } from "../../connection/verb.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";
import { shownEmail, shownPerson, toPersonJson } from "../people/person-shown.ts";
import { toAddressJson, toShownAddress } from "../tenants/postal-address.ts";

/** A worker with the names of tenant, units and location. */
export async function shownWorker(asked: Asked, worker: Worker, words: OutcomeWords = {}) {
  const { tenantId, unitIds, locationId } = worker;
  const names = await namesOf(asked, [tenantId, ...unitIds, locationId]);
  return one(toWorkerJson(worker), workerFacts(worker, names), words);
}

/** Columns of a list of workers; with the end of the employment if ended ones are listed. */
export const workerColumns = (withEnded: boolean) => [
  { heading: "name", cell: ({ person }: Worker) => shownPerson(person) },
  { heading: "id", cell: ({ id }: Worker) => id },
  { heading: "e-mail", cell: ({ person }: Worker) => person?.email },
  { heading: "job titles", cell: ({ jobTitles }: Worker) => jobTitles.join(", ") },
  ...(withEnded ? [{ heading: "ended", cell: ({ endedAt }: Worker) => toShownInstant(endedAt) }] : []),
];

export const toWorkerJson = (worker: Worker) => ({
  id: worker.id,
  tenantId: worker.tenantId,
  person: toPersonJson(present(worker.person)),
  jobTitles: worker.jobTitles,
  phone: worker.phone ?? null,
  address: toAddressJson(worker.address),
  unitIds: worker.unitIds,
  primaryUnitId: worker.primaryUnitId ?? null,
  locationId: worker.locationId ?? null,
  createdAt: toJsonInstant(worker.createdAt),
  endedAt: toJsonInstant(worker.endedAt),
});

const workerFacts = (worker: Worker, names: Names) =>
  [
    ["id", worker.id],
    ["tenant", names.of(worker.tenantId)],
    ["person", shownPerson(worker.person)],
    ["e-mail", shownEmail(worker.person)],
    ["person id", worker.person?.id],
    ["job titles", worker.jobTitles],
    ["phone", worker.phone ?? null],
    ["address", toShownAddress(worker.address)],
    ["units", worker.unitIds.map((id) => names.of(id) ?? id)],
    ["primary unit", names.of(worker.primaryUnitId)],
    ["location", names.of(worker.locationId)],
    ["created", toShownInstant(worker.createdAt)],
    ["ended", worker.endedAt ? toShownInstant(worker.endedAt) : undefined],
  ] as const;
