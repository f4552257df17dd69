import type { InstanceIntegration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { present, toWireInstant, type Wire } from "../wire.ts";

/** GET /v1/instance-integrations (spec §4.2). */
export const listInstanceIntegrationsOperation = gatewayOperation(
  "listInstanceIntegrations",
  ({ gateway, known }) => gateway.listInstanceIntegrations({ ...known }),
  ({ instanceIntegrations }) => instanceIntegrations.map(toWireInstanceIntegration),
);

/** An instance integration as the gateway shows it (spec §2.1). The wire's "applicationInstance" is our instance. */
function toWireInstanceIntegration(one: InstanceIntegration): Wire["InstanceIntegration"] {
  const { id, name } = present(one.instance);
  return {
    id: one.id,
    applicationInstance: { id, instanceName: name },
    createdAt: toWireInstant(one.createdAt),
    updatedAt: toWireInstant(one.updatedAt),
  };
}
