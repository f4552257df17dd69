import type { InstanceId } from "#runtime/basis/ids.ts";
import type { Wire } from "../wire.ts";
import type { UnitInPlace, UnitType } from "./organization.ts";
import { inStructure } from "./structure-event-wire.ts";

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
