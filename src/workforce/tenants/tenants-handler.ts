import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { present } from "../wire.ts";
import { toWireClient } from "./tenant-wire.ts";

/** GET …/clients (spec §4.2). The wire's "client" is our tenant. */
export const listClientsOperation = gatewayOperation<"listClients">(async ({ params, gateway }) => {
  const { tenants } = await gateway.listTenants({ instanceIntegrationId: params.instanceIntegrationId });
  return { status: 200, body: tenants.map(toWireClient) };
});

/** GET …/clients/{clientId} (R-G8). */
export const getClientOperation = gatewayOperation<"getClient">(async ({ params, gateway }) => {
  const { tenant } = await gateway.getTenant({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
  });
  return { status: 200, body: toWireClient(present(tenant)) };
});
