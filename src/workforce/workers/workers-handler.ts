import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { pagedOperation } from "../gateway/paged-operation.ts";
import { present } from "../wire.ts";
import { toWireWorker, toWireWorkerV2 } from "./worker-wire.ts";

/** GET …/clients/{clientId}/workers (spec §4.2). The wire's "client" is our tenant. */
export const listWorkersOperation = gatewayOperation<"listWorkers">(async ({ params, gateway }) => {
  const { workers } = await gateway.listWorkers({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
  });
  return { status: 200, body: workers.map(toWireWorker) };
});

/** GET …/clients/{clientId}/job-titles (spec §4.2). */
export const listJobTitlesOperation = gatewayOperation<"listJobTitles">(async ({ params, gateway }) => {
  const { jobTitles } = await gateway.listJobTitles({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
  });
  return { status: 200, body: jobTitles };
});

/** GET /v2/…/clients/{clientId}/workers (R-G6), in pages when asked (R-G9). */
export const listWorkersV2Operation = pagedOperation("listWorkersV2", "worker", async ({ params, page, gateway }) => {
  const { workers, next } = await gateway.listPlacedWorkers({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
    ...page,
  });
  return { body: workers.map(toWireWorkerV2), next };
});

/** GET /v2/…/clients/{clientId}/workers/{workerId} (R-G6). An ended worker is shown with `endedAt` (R-G16). */
export const getWorkerV2Operation = gatewayOperation<"getWorkerV2">(async ({ params, gateway }) => {
  const { worker } = await gateway.getPlacedWorker({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
    workerId: params.workerId,
  });
  return { status: 200, body: toWireWorkerV2(present(worker)) };
});
