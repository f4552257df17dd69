import { operations } from "#generated/operations/gateway.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import { fillPath, present, type Wire } from "../wire.ts";
import type { PlacedWorker, WorkerInPlace } from "./worker.ts";
import { toWireWorkerV2 } from "./worker-wire.ts";

type WorkerEventType = Wire["WorkerOnboardedEvent"]["type"] | Wire["WorkerUpdatedEvent"]["type"];

/** worker.onboarded with its snapshot (R-E1). */
export const workerOnboarded = (placed: WorkerInPlace, instanceId: InstanceId) =>
  workerEvent("worker.onboarded", placed, instanceId);

/** worker.updated with its snapshot (R-E1). */
export const workerUpdated = (placed: WorkerInPlace, instanceId: InstanceId) =>
  workerEvent("worker.updated", placed, instanceId);

/** The snapshot is what version 2 of the gateway shows, under `workerId`. The receiver's own id is filled in later. */
function workerEvent(eventType: WorkerEventType, placed: WorkerInPlace, instanceId: InstanceId) {
  const { tenantId, createdAt } = placed.worker;
  const { id, ...fields } = toWireWorkerV2(toShown(placed));
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

/** A worker in its place as the gateway shows it. */
const toShown = ({ worker, ...place }: WorkerInPlace): PlacedWorker => ({
  worker: {
    ...worker,
    firstName: present(worker.person.firstName),
    lastName: present(worker.person.lastName),
    email: worker.person.email,
  },
  ...place,
  endedAt: worker.endedAt,
});
