import {
  EndWorkerRequest,
  EndWorkerResponse,
  UpdateWorkerRequest,
  UpdateWorkerResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import type { OrganizationLocationId, WorkerId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { locationRepository } from "../organization/organization-repository.ts";
import { unitRepository } from "../organization/unit-repository.ts";
import type { EmitSeatsChanged } from "../people/changed-person-service.ts";
import { readWrite } from "../request-fields.ts";
import { isSame } from "../revisions.ts";
import type { WorkforceTables } from "../tables.ts";
import { getWithTenant } from "../tenants/belonging.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import type { PlacedWorker } from "./worker.ts";
import { hasItsPrimaryUnit, readEmployment, WORKER_PATHS, workerAfter } from "./worker-fields.ts";
import { getPlace } from "./worker-place.ts";
import { workerRepository } from "./worker-repository.ts";
import { workerUpdated } from "./worker-wire.ts";

interface WorkerChangeDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Changes the named fields of a worker and emits worker.updated; an update that changes nothing is answered and emits nothing.
 * @throws NOT_FOUND for worker, units and location; FAILED_PRECONDITION (worker_ended), (erased) for another unit; INVALID_ARGUMENT also
 *   for a primary unit that is none of the worker's.
 */
export const updateWorker =
  ({ changes }: WorkerChangeDeps) =>
  async (request: UpdateWorkerRequest, call: Call): Promise<UpdateWorkerResponse> => {
    const { workerId, mask, given } = readWrite(request, (fields) => {
      const workerId = fields.id("worker_id", "worker", request.workerId);
      const mask = fields.mask(request.updateMask, WORKER_PATHS);
      return { workerId, mask, given: readEmployment(fields, request, mask) };
    });
    return changes.run(
      async ({ db, emit, unchanged, wrote }) => {
        const { tenant, before } = await lockWorker(db, workerId);
        if (before.worker.endedAt !== null)
          throw failedPrecondition(
            "worker_ended",
            `The employment of ${workerId} has ended and stays as it is. Onboard the person again to begin a new one.`,
          );
        const worker = workerAfter(before.worker, given, mask);
        if (isSame(worker, before.worker)) return unchanged({ worker });
        if (!hasItsPrimaryUnit(worker))
          throw invalidArgument([{ field: "primary_unit_id", reason: "must be one of the worker's units" }]);
        const places = { units: unitRepository(db), locations: locationRepository(db) };
        const place = await getPlace(places, worker, tenant.id, before.worker.unitIds);
        await workerRepository(db).replace(before.worker, worker);
        await emit(workerUpdated({ worker, ...place }, tenant.instanceId));
        const facts = { tenantId: tenant.id, fields: [...mask].join(" ") };
        const written = { actor: call.actor, object: workerId, facts, tenants: [tenant.id] };
        return wrote("worker.update", written, { worker });
      },
      repeatable(request, call, UpdateWorkerRequest, UpdateWorkerResponse),
    );
  };

/**
 * Ends a worker's employment for good, and emits worker.updated with `endedAt` (R-G16); an ended one stays as it is, and nothing is emitted.
 * @throws NOT_FOUND (worker_not_found).
 */
export const endWorker =
  ({ changes }: WorkerChangeDeps) =>
  async (request: EndWorkerRequest, call: Call): Promise<EndWorkerResponse> => {
    const workerId = readWrite(request, (fields) => fields.id("worker_id", "worker", request.workerId));
    return changes.run(
      async ({ db, at, emit, unchanged, wrote }) => {
        const { tenant, before } = await lockWorker(db, workerId);
        if (before.worker.endedAt !== null) return unchanged({ worker: before.worker });
        const worker = { ...before.worker, endedAt: at };
        await workerRepository(db).replace(before.worker, worker);
        await emit(workerUpdated({ ...before, worker }, tenant.instanceId));
        const written = { actor: call.actor, object: workerId, facts: { tenantId: tenant.id }, tenants: [tenant.id] };
        return wrote("worker.end", written, { worker });
      },
      repeatable(request, call, EndWorkerRequest, EndWorkerResponse),
    );
  };

/** A worker as it is before a change, with its tenant locked. @throws NOT_FOUND (worker_not_found). */
async function lockWorker(
  db: Database<WorkforceTables>,
  id: WorkerId,
): Promise<{ readonly tenant: Tenant; readonly before: PlacedWorker }> {
  const { tenantOf, findPlaced } = workerRepository(db);
  const { tenant, one } = await getWithTenant(tenantRepository(db), { tenantOf, find: findPlaced }, "worker", id);
  return { tenant, before: one };
}

/** Emits one worker.updated for each worker that the person is in the tenant, ended or not (R-D2). */
export const emitWorkersChanged: EmitSeatsChanged = async ({ db, emit }, personId, tenant) => {
  for (const worker of await workerRepository(db).listPlacedOfPerson(personId, tenant.id))
    await emit(workerUpdated(worker, tenant.instanceId));
};

/** Workers that are in memory at a time while a location is deleted. */
const DETACHED_AT_ONCE = 500;

/**
 * Takes the workers placed at a location away from it, and emits worker.updated for each. The tenant is locked.
 * @returns how many they were, ended ones included.
 */
export async function detachWorkers(
  { db, emit }: WorkforceChange,
  { id: tenantId, instanceId }: Tenant,
  locationId: OrganizationLocationId,
): Promise<number> {
  const workers = workerRepository(db);
  for (let count = 0; ; ) {
    const placed = await workers.listPlacedAt(locationId, tenantId, DETACHED_AT_ONCE);
    if (placed.length === 0) return count;
    count += placed.length;
    await workers.clearLocation(placed.map(({ worker }) => worker.id));
    const detached = placed.map((one) => ({ ...one, worker: { ...one.worker, locationId: null }, location: null }));
    await emit(...detached.map((one) => workerUpdated(one, instanceId)));
  }
}
