import {
  CreateLocationRequest,
  CreateLocationResponse,
  DeleteLocationRequest,
  DeleteLocationResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId, type OrganizationLocationId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { findAndLock, getAndLock } from "../tenants/belonging.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { workerUpdated } from "../workers/worker-event-wire.ts";
import { workerRepository } from "../workers/worker-repository.ts";
import { locationCreated, locationDeleted } from "./location-event-wire.ts";
import { locationRepository } from "./location-repository.ts";
import type { OrganizationLocation } from "./organization.ts";

export interface LocationsDeps {
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

/** Workers that are in memory at a time while a location is deleted. */
const DETACHED_AT_ONCE = 500;

/** Creates a location and emits organization_location.created. @throws NOT_FOUND (tenant_not_found). */
export const createLocation =
  ({ changes, random }: LocationsDeps) =>
  async (request: CreateLocationRequest, call: Call): Promise<CreateLocationResponse> => {
    const { tenantId, name } = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      name: fields.text("name", request.name, LENGTHS.name),
    }));
    return changes.run(
      async ({ db, at, emit, audit }) => {
        const tenants = tenantRepository(db);
        const { instanceId } = await getAndLock(tenants, tenantId);
        const id = newId("organizationLocation", random);
        const location: OrganizationLocation = { id, tenantId, name, createdAt: at };
        await locationRepository(db).create(location);
        await tenants.raiseRevision(tenantId);
        await emit(locationCreated(location, instanceId));
        await audit({ actor: call.peer, action: "location.create", object: id, facts: { tenantId } });
        return { location };
      },
      repeatable(request, call, CreateLocationRequest, CreateLocationResponse),
    );
  };

/**
 * Deletes a location. Whoever is placed there is so no more, and keeps the postal address (R-E2). Emits organization_location.deleted,
 * and worker.updated for each of these workers.
 * @throws NOT_FOUND (location_not_found).
 */
export const deleteLocation =
  ({ changes }: LocationsDeps) =>
  async (request: DeleteLocationRequest, call: Call): Promise<DeleteLocationResponse> => {
    const locationId = readWrite(request, (fields) =>
      fields.id("location_id", "organizationLocation", request.locationId),
    );
    return changes.run(
      async (change) => {
        const { db, emit, audit } = change;
        const [tenants, locations] = [tenantRepository(db), locationRepository(db)];
        const found = await findAndLock(tenants, locations, locationId);
        if (!found) throw unknownReference("location", "location_id", locationId);
        const { tenant, one: location } = found;
        await emit(locationDeleted(location, tenant.instanceId));
        const detachedWorkers = await detachWorkers(change, tenant, locationId);
        await locations.delete(locationId);
        await tenants.raiseRevision(tenant.id);
        const facts = { tenantId: tenant.id, detachedWorkers };
        await audit({ actor: call.peer, action: "location.delete", object: locationId, facts });
        return { location, detachedWorkers };
      },
      repeatable(request, call, DeleteLocationRequest, DeleteLocationResponse),
    );
  };

/** @returns how many workers were placed there, ended ones included. */
async function detachWorkers(
  { db, emit }: Change<WorkforceTables>,
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
