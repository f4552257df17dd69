import { operations } from "#generated/operations/gateway.ts";
import type {
  ListedWorker as ListedWorkerMessage,
  PlacedWorker as PlacedWorkerMessage,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import { fullName } from "../people/person.ts";
import { fillPath, present, toWireAddress, toWireInstant, type Wire } from "../wire.ts";
import type { NamedPlace, PlacedWorker } from "./worker.ts";

/** A worker as version 1 of the gateway shows it (spec §2.3). A worker has both names (R-D2). */
export const toWireWorker = ({ id, firstName, lastName, email, jobTitles, phone, address }: ListedWorkerMessage) =>
  ({
    id,
    firstName,
    lastName,
    fullName: present(fullName(firstName, lastName)),
    email,
    jobTitles,
    phone: phone ?? null,
    location: toWireAddress(address),
  }) satisfies Wire["Worker"];

/** A worker as version 2 of the gateway shows it: with where it is placed, and when it ended (R-G6, R-G16). */
export const toWireWorkerV2 = (shown: PlacedWorkerMessage): Wire["WorkerV2"] => ({
  ...toWireWorker(present(shown.worker)),
  organizationUnits: shown.units.map(toWirePlace),
  organizationUnit: shown.primaryUnit && toWirePlace(shown.primaryUnit),
  organizationLocation: shown.location && toWirePlace(shown.location),
  endedAt: shown.endedAt ? toWireInstant(shown.endedAt) : null,
});

const toWirePlace = ({ id, name }: Pick<NamedPlace, "name"> & { readonly id: string }) => ({ id, name });

type WorkerEventType = Wire["WorkerOnboardedEvent"]["type"] | Wire["WorkerUpdatedEvent"]["type"];

/** worker.onboarded with its snapshot (R-E1). */
export const workerOnboarded = (placed: PlacedWorker, instanceId: InstanceId) =>
  workerEvent("worker.onboarded", placed, instanceId);

/** worker.updated with its snapshot (R-E1). */
export const workerUpdated = (placed: PlacedWorker, instanceId: InstanceId) =>
  workerEvent("worker.updated", placed, instanceId);

/** The snapshot is what version 2 of the gateway shows, under `workerId`. The receiver's own id is filled in later. */
function workerEvent(eventType: WorkerEventType, placed: PlacedWorker, instanceId: InstanceId) {
  const { person, tenantId, createdAt, endedAt, ...worker } = placed.worker;
  const names = { firstName: present(person.firstName), lastName: present(person.lastName), email: person.email };
  const { id, ...fields } = toWireWorkerV2({ ...placed, worker: { ...worker, ...names }, endedAt });
  const data: Omit<Wire["WorkerSnapshot"], "links"> = {
    workerId: id,
    clientId: tenantId,
    ...fields,
    createdAt: createdAt.toISOString(),
  };
  return {
    eventType,
    entity: { type: "worker", id } satisfies Wire["WorkerEntity"],
    instanceId,
    tenantId,
    data,
    selfPath: fillPath(operations.getWorkerV2.path, { clientId: tenantId, workerId: id }),
  };
}
