import type {
  GetOrganizationStructureRequest,
  GetOrganizationStructureResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import {
  CreateLocationRequest,
  CreateLocationResponse,
  CreateUnitRequest,
  CreateUnitResponse,
  CreateUnitTypeRequest,
  CreateUnitTypeResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId, type TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { unlessKnown } from "../revised.ts";
import type { WorkforceTables } from "../tables.ts";
import { getReachableTenant } from "../tenants/reachable-tenant.ts";
import { type TenantRepository, tenantRepository } from "../tenants/tenant-repository.ts";
import type { OrganizationLocation, OrganizationStructure, OrganizationUnit, UnitType } from "./organization.ts";
import { type OrganizationRepository, organizationRepository } from "./organization-repository.ts";

export interface OrganizationDeps {
  readonly organization: OrganizationRepository;
  readonly tenants: TenantRepository;
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

/**
 * Reads the structure of a tenant: its unit types, units and locations, each oldest first.
 * @throws NOT_FOUND for the instance integration or the tenant (spec §7.4).
 */
export const getOrganizationStructure =
  (deps: OrganizationDeps) =>
  async (
    request: GetOrganizationStructureRequest,
    { caller }: GatewayCall,
  ): Promise<GetOrganizationStructureResponse> => {
    const tenant = await getReachableTenant(deps, request, caller);
    const empty: OrganizationStructure = { unitTypes: [], units: [], locations: [] };
    return unlessKnown(request, tenant.revision, empty, () => deps.organization.getStructure(tenant.id));
  };

/** @throws NOT_FOUND (tenant_not_found). */
export const createUnitType =
  ({ changes, random }: OrganizationDeps) =>
  async (request: CreateUnitTypeRequest, call: Call): Promise<CreateUnitTypeResponse> => {
    const { tenantId, name } = readNamed(request);
    return changes.run(
      async (change) => {
        await enterTenant(change, tenantId);
        const unitType: UnitType = { id: newId("unitType", random), tenantId, name, createdAt: change.at };
        await organizationRepository(change.db).createUnitType(unitType);
        await change.audit({ actor: call.peer, action: "unitType.create", object: unitType.id, facts: { tenantId } });
        return { unitType };
      },
      repeatable(request, call, CreateUnitTypeRequest, CreateUnitTypeResponse),
    );
  };

/** @throws NOT_FOUND (tenant_not_found, unit_type_not_found, unit_not_found for the parent). */
export const createUnit =
  ({ changes, random }: OrganizationDeps) =>
  async (request: CreateUnitRequest, call: Call): Promise<CreateUnitResponse> => {
    const wanted = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      unitTypeId: fields.id("unit_type_id", "unitType", request.unitTypeId),
      name: fields.text("name", request.name, LENGTHS.name),
      unitCode: fields.optionalText("unit_code", request.unitCode, LENGTHS.unitCode),
      description: fields.optionalText("description", request.description, LENGTHS.description),
      parentUnitId: fields.optionalId("parent_unit_id", "organizationUnit", request.parentUnitId),
    }));
    const { tenantId, unitTypeId, parentUnitId } = wanted;
    return changes.run(
      async (change) => {
        await enterTenant(change, tenantId);
        const organization = organizationRepository(change.db);
        if (!(await organization.hasUnitType(unitTypeId, tenantId)))
          throw unknownReference("unit_type", "unit_type_id", unitTypeId);
        if (parentUnitId !== null && !(await organization.knownUnits([parentUnitId], tenantId)).has(parentUnitId))
          throw unknownReference("unit", "parent_unit_id", parentUnitId);
        const unit: OrganizationUnit = { id: newId("organizationUnit", random), ...wanted, createdAt: change.at };
        await organization.createUnit(unit);
        await change.audit({ actor: call.peer, action: "unit.create", object: unit.id, facts: { tenantId } });
        return { unit };
      },
      repeatable(request, call, CreateUnitRequest, CreateUnitResponse),
    );
  };

/** @throws NOT_FOUND (tenant_not_found). */
export const createLocation =
  ({ changes, random }: OrganizationDeps) =>
  async (request: CreateLocationRequest, call: Call): Promise<CreateLocationResponse> => {
    const { tenantId, name } = readNamed(request);
    return changes.run(
      async (change) => {
        await enterTenant(change, tenantId);
        const id = newId("organizationLocation", random);
        const location: OrganizationLocation = { id, tenantId, name, createdAt: change.at };
        await organizationRepository(change.db).createLocation(location);
        await change.audit({ actor: call.peer, action: "location.create", object: id, facts: { tenantId } });
        return { location };
      },
      repeatable(request, call, CreateLocationRequest, CreateLocationResponse),
    );
  };

const readNamed = (request: CreateUnitTypeRequest | CreateLocationRequest) =>
  readWrite(request, (fields) => ({
    tenantId: fields.id("tenant_id", "tenant", request.tenantId),
    name: fields.text("name", request.name, LENGTHS.name),
  }));

/** Begins a write to a tenant's structure. @throws NOT_FOUND (tenant_not_found). */
async function enterTenant({ db }: Change<WorkforceTables>, tenantId: TenantId): Promise<void> {
  const tenants = tenantRepository(db);
  if (!(await tenants.lock(tenantId))) throw unknownReference("tenant", "tenant_id", tenantId);
  await tenants.raiseRevision(tenantId);
}
