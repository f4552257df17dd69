import type { InstanceId } from "#runtime/basis/ids.ts";
import type { Wire } from "../wire.ts";
import type { UnitInPlace } from "./organization.ts";
import { inStructure } from "./structure-event-wire.ts";

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
