import { operations } from "#generated/operations/gateway.ts";
import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import { fillPath, type Wire } from "../wire.ts";
import type { OrganizationLocation, UnitInPlace, UnitType } from "./organization.ts";

/** organization_unit_type.created with its snapshot, in which the units are that were created with it (R-E1). */
export function unitTypeCreated(unitType: UnitType, units: readonly UnitInPlace[], instanceId: InstanceId) {
  const data: Omit<Wire["OrganizationUnitTypeSnapshot"], "links"> = {
    organizationUnitTypeId: unitType.id,
    clientId: unitType.tenantId,
    name: unitType.name,
    units: units.map(toEmbedded),
    createdAt: unitType.createdAt.toISOString(),
  };
  return {
    eventType: "organization_unit_type.created" satisfies Wire["OrganizationUnitTypeCreatedEvent"]["type"],
    entity: { type: "organizationUnitType", id: unitType.id } satisfies Wire["OrganizationUnitTypeEntity"],
    data,
    ...inStructure(unitType.tenantId, instanceId),
  };
}

const toEmbedded = ({ unit, parentUnit }: UnitInPlace): Wire["EmbeddedUnit"] => ({
  organizationUnitId: unit.id,
  name: unit.name,
  unitCode: unit.unitCode,
  description: unit.description,
  parentUnit,
});

/** organization_unit.created with its snapshot (spec §6.3). */
export function unitCreated({ unit, unitType, parentUnit }: UnitInPlace, instanceId: InstanceId) {
  const data: Omit<Wire["OrganizationUnitSnapshot"], "links"> = {
    organizationUnitId: unit.id,
    clientId: unit.tenantId,
    name: unit.name,
    unitCode: unit.unitCode,
    description: unit.description,
    unitType: { id: unitType.id, name: unitType.name },
    parentUnit,
    createdAt: unit.createdAt.toISOString(),
  };
  return {
    eventType: "organization_unit.created" satisfies Wire["OrganizationUnitCreatedEvent"]["type"],
    entity: { type: "organizationUnit", id: unit.id } satisfies Wire["OrganizationUnitEntity"],
    data,
    ...inStructure(unit.tenantId, instanceId),
  };
}

type LocationEventType =
  | Wire["OrganizationLocationCreatedEvent"]["type"]
  | Wire["OrganizationLocationDeletedEvent"]["type"];

/** organization_location.created with its snapshot (R-E1). */
export const locationCreated = (location: OrganizationLocation, instanceId: InstanceId) =>
  locationEvent("organization_location.created", location, instanceId);

/** organization_location.deleted, with the location as it was. The structure that it links to lists it no more (spec §6). */
export const locationDeleted = (location: OrganizationLocation, instanceId: InstanceId) =>
  locationEvent("organization_location.deleted", location, instanceId);

function locationEvent(eventType: LocationEventType, location: OrganizationLocation, instanceId: InstanceId) {
  const { id, tenantId, name, createdAt } = location;
  const data: Omit<Wire["OrganizationLocationSnapshot"], "links"> = {
    organizationLocationId: id,
    clientId: tenantId,
    name,
    createdAt: createdAt.toISOString(),
  };
  const entity = { type: "organizationLocation", id } satisfies Wire["OrganizationLocationEntity"];
  return { eventType, entity, data, ...inStructure(tenantId, instanceId) };
}

/** What the events of types, units and locations have in common: they link to the tenant's organization structure (R-E1). */
const inStructure = (tenantId: TenantId, instanceId: InstanceId) => ({
  instanceId,
  tenantId,
  selfPath: fillPath(operations.getOrganizationStructure.path, { clientId: tenantId }),
});
