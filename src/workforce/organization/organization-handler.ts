import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { toWireOrganizationStructure } from "./organization-wire.ts";

/** GET …/clients/{clientId}/organization-structure (spec §4.2). */
export const getOrganizationStructureOperation = gatewayOperation(
  "getOrganizationStructure",
  ({ params, gateway, known }) =>
    gateway.getOrganizationStructure({
      instanceIntegrationId: params.instanceIntegrationId,
      tenantId: params.clientId,
      ...known,
    }),
  toWireOrganizationStructure,
);
