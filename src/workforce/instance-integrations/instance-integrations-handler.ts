import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { toWireInstanceIntegration } from "./instance-integration-wire.ts";

/** GET /v1/instance-integrations (spec §4.2). */
export const listInstanceIntegrationsOperation = gatewayOperation(
  "listInstanceIntegrations",
  ({ gateway, known }) => gateway.listInstanceIntegrations({ ...known }),
  ({ instanceIntegrations }) => instanceIntegrations.map(toWireInstanceIntegration),
);
