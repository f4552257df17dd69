import { UpdateWorkerRequest, UpdateWorkerResponse } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { locationRepository } from "../organization/location-repository.ts";
import { unitRepository } from "../organization/unit-repository.ts";
import { repeatable } from "../repeatable.ts";
import { readWrite } from "../request-fields.ts";
import { isSame } from "../same.ts";
import type { WorkforceTables } from "../tables.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { workerUpdated } from "./worker-event-wire.ts";
import { hasItsPrimaryUnit, readEmployment, WORKER_PATHS, workerAfter } from "./worker-fields.ts";
import { getPlace } from "./worker-place.ts";
import { workerRepository } from "./worker-repository.ts";
import { getWorkerToChange } from "./worker-to-change.ts";

export interface WorkerUpdateDeps {
  readonly changes: Changes<WorkforceTables>;
}

/**
 * Changes the named fields of a worker and emits worker.updated; an update that changes nothing is answered and not told.
 * @throws NOT_FOUND for worker, units and location; FAILED_PRECONDITION (worker_ended); INVALID_ARGUMENT also for a primary unit that is
 *   none of the worker's.
 */
export const updateWorker =
  ({ changes }: WorkerUpdateDeps) =>
  async (request: UpdateWorkerRequest, call: Call): Promise<UpdateWorkerResponse> => {
    const { workerId, mask, given } = readWrite(request, (fields) => {
      const workerId = fields.id("worker_id", "worker", request.workerId);
      const mask = fields.mask(request.updateMask, WORKER_PATHS);
      return { workerId, mask, given: readEmployment(fields, request, mask) };
    });
    return changes.run(
      async ({ db, emit, audit }) => {
        const [tenants, workers] = [tenantRepository(db), workerRepository(db)];
        const { tenant, before } = await getWorkerToChange(tenants, workers, workerId);
        if (before.worker.endedAt !== null)
          throw failedPrecondition(
            "worker_ended",
            `The employment of ${workerId} has ended and stays as it is. Onboard the person again to begin a new one.`,
          );
        const worker = workerAfter(before.worker, given, mask);
        if (isSame(worker, before.worker)) return { worker };
        if (!hasItsPrimaryUnit(worker))
          throw invalidArgument([{ field: "primary_unit_id", reason: "must be one of the worker's units" }]);
        const places = { units: unitRepository(db), locations: locationRepository(db) };
        const place = await getPlace(places, worker, tenant.id);
        await workers.replace(before.worker, worker);
        await tenants.raiseRevision(tenant.id);
        await emit(workerUpdated({ worker, ...place }, tenant.instanceId));
        const facts = { tenantId: tenant.id, fields: [...mask].join(" ") };
        await audit({ actor: call.peer, action: "worker.update", object: workerId, facts });
        return { worker };
      },
      repeatable(request, call, UpdateWorkerRequest, UpdateWorkerResponse),
    );
  };
