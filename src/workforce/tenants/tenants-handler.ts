import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { listOperation } from "../gateway/list-operation.ts";
import { present, tenantIn } from "../wire.ts";
import { toWireClient } from "./tenant-wire.ts";

/** GET …/clients (spec §4.2). The wire's "client" is our tenant. */
export const listClientsOperation = listOperation(
  "listClients",
  ({ params, gateway, known }) =>
    gateway.listTenants({ instanceIntegrationId: params.instanceIntegrationId, ...known }),
  ({ tenants }) => tenants.map(toWireClient),
);

/** GET …/clients/{clientId} (R-G8). */
export const getClientOperation = gatewayOperation(
  "getClient",
  ({ params, gateway, known }) => gateway.getTenant({ ...tenantIn(params), ...known }),
  ({ tenant }) => toWireClient(present(tenant)),
);
