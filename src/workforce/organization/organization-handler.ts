import type { GetOrganizationStructureResponse } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { OrganizationUnit } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { tenantIn, type Wire } from "../wire.ts";

/** The structure of a tenant as the gateway shows it (spec §2.4); `unitsTypes` is the wire's spelling (R-G4). */
const toWireOrganizationStructure = ({
  unitTypes,
  units,
  locations,
}: GetOrganizationStructureResponse): Wire["OrganizationStructure"] => ({
  unitsTypes: unitTypes.map(toWireNamed),
  units: units.map(toWireUnit),
  locations: locations.map(toWireNamed),
});

const toWireUnit = (unit: OrganizationUnit): Wire["OrganizationUnit"] => ({
  id: unit.id,
  name: unit.name,
  description: unit.description ?? null,
  unitTypeId: unit.unitTypeId,
  parentUnitId: unit.parentUnitId ?? null,
});

const toWireNamed = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });

/** GET …/clients/{clientId}/organization-structure (spec §4.2). */
export const getOrganizationStructureOperation = gatewayOperation(
  "getOrganizationStructure",
  ({ params, gateway, known }) => gateway.getOrganizationStructure({ ...tenantIn(params), ...known }),
  toWireOrganizationStructure,
);
