import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { toWireWorker } from "./worker-wire.ts";

/** GET …/clients/{clientId}/workers (spec §4.2). The wire's "client" is our tenant. */
export const listWorkersOperation = gatewayOperation<"listWorkers">(async ({ params, gateway }) => {
  const { workers } = await gateway.listWorkers({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
  });
  return { status: 200, body: workers.map(toWireWorker) };
});
