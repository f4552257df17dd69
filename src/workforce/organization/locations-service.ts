import {
  CreateLocationRequest,
  CreateLocationResponse,
  DeleteLocationRequest,
  DeleteLocationResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newTimedId, type OrganizationLocationId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { getAndLock, getWithTenant } from "../tenants/belonging.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import type { OrganizationLocation } from "./organization.ts";
import { locationRepository } from "./organization-repository.ts";
import { locationCreated, locationDeleted } from "./structure-event-wire.ts";

interface LocationsDeps {
  readonly changes: WorkforceChanges;
  readonly random: Random;
  /** Takes the workers placed at a location away from it, and emits so; how many there were, ended ones included. */
  readonly detachWorkers: (
    change: WorkforceChange,
    tenant: Tenant,
    locationId: OrganizationLocationId,
  ) => Promise<number>;
}

/** Creates a location and emits organization_location.created. @throws NOT_FOUND (tenant_not_found). */
export const createLocation =
  ({ changes, random }: LocationsDeps) =>
  async (request: CreateLocationRequest, call: Call): Promise<CreateLocationResponse> => {
    const { tenantId, name } = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      name: fields.text("name", request.name, LENGTHS.name),
    }));
    return changes.run(
      async ({ db, at, emit, wrote }) => {
        const { instanceId } = await getAndLock(tenantRepository(db), tenantId);
        const id = newTimedId("organizationLocation", at, random);
        const location: OrganizationLocation = { id, tenantId, name, createdAt: at };
        await locationRepository(db).createAll([location]);
        await emit(locationCreated(location, instanceId));
        const written = { actor: call.actor, object: id, facts: { tenantId }, tenants: [tenantId] };
        return wrote("location.create", written, { location });
      },
      repeatable(request, call, CreateLocationRequest, CreateLocationResponse),
    );
  };

/**
 * Deletes a location. Its workers lose the placement and keep their postal address (R-E2). Emits
 * organization_location.deleted,
 * and worker.updated for each of these workers.
 * @throws NOT_FOUND (location_not_found).
 */
export const deleteLocation =
  ({ changes, detachWorkers }: LocationsDeps) =>
  async (request: DeleteLocationRequest, call: Call): Promise<DeleteLocationResponse> => {
    const locationId = readWrite(request, (fields) =>
      fields.id("location_id", "organizationLocation", request.locationId),
    );
    return changes.run(
      async (change) => {
        const { db, emit, wrote } = change;
        const locations = locationRepository(db);
        const { tenant, one: location } = await getWithTenant(tenantRepository(db), locations, "location", locationId);
        await emit(locationDeleted(location, tenant.instanceId));
        const detachedWorkers = await detachWorkers(change, tenant, locationId);
        await locations.delete(locationId);
        const facts = { tenantId: tenant.id, detachedWorkers };
        const written = { actor: call.actor, object: locationId, facts, tenants: [tenant.id] };
        return wrote("location.delete", written, { location, detachedWorkers });
      },
      repeatable(request, call, DeleteLocationRequest, DeleteLocationResponse),
    );
  };
