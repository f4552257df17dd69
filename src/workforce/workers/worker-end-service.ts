import { EndWorkerRequest, EndWorkerResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { repeatable } from "../repeatable.ts";
import { readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { workerUpdated } from "./worker-event-wire.ts";
import { workerRepository } from "./worker-repository.ts";
import { getWorkerToChange } from "./worker-to-change.ts";

export interface WorkerEndDeps {
  readonly changes: Changes<WorkforceTables>;
}

/**
 * Ends a worker's employment for good, and emits worker.updated with `endedAt` (R-G16); one that has ended stays as it is, untold.
 * @throws NOT_FOUND (worker_not_found).
 */
export const endWorker =
  ({ changes }: WorkerEndDeps) =>
  async (request: EndWorkerRequest, call: Call): Promise<EndWorkerResponse> => {
    const workerId = readWrite(request, (fields) => fields.id("worker_id", "worker", request.workerId));
    return changes.run(
      async ({ db, at, emit, audit }) => {
        const [tenants, workers] = [tenantRepository(db), workerRepository(db)];
        const { tenant, before } = await getWorkerToChange(tenants, workers, workerId);
        if (before.worker.endedAt !== null) return { worker: before.worker };
        const worker = { ...before.worker, endedAt: at };
        await workers.replace(before.worker, worker);
        await tenants.raiseRevision(tenant.id);
        await emit(workerUpdated({ ...before, worker }, tenant.instanceId));
        const facts = { tenantId: tenant.id };
        await audit({ actor: call.peer, action: "worker.end", object: workerId, facts });
        return { worker };
      },
      repeatable(request, call, EndWorkerRequest, EndWorkerResponse),
    );
  };
