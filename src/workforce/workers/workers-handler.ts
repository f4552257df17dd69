import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { listOperation } from "../gateway/list-operation.ts";
import { pagedOperation } from "../gateway/paged-operation.ts";
import { present, tenantIn } from "../wire.ts";
import { toWireWorker, toWireWorkerV2 } from "./worker-wire.ts";

/** GET …/clients/{clientId}/workers (spec §4.2). The wire's "client" is our tenant. */
export const listWorkersOperation = listOperation(
  "listWorkers",
  ({ params, gateway, known }) => gateway.listWorkers({ ...tenantIn(params), ...known }),
  ({ workers }) => workers.map(toWireWorker),
);

/** GET …/clients/{clientId}/job-titles (spec §4.2). */
export const listJobTitlesOperation = gatewayOperation(
  "listJobTitles",
  ({ params, gateway, known }) => gateway.listJobTitles({ ...tenantIn(params), ...known }),
  ({ jobTitles }) => jobTitles,
);

/** GET /v2/…/clients/{clientId}/workers (R-G6), in pages when asked (R-G9). */
export const listWorkersV2Operation = pagedOperation(
  "listWorkersV2",
  "worker",
  ({ params, page, gateway, known }) => gateway.listPlacedWorkers({ ...tenantIn(params), ...page, ...known }),
  ({ workers }) => workers.map(toWireWorkerV2),
);

/** GET /v2/…/clients/{clientId}/workers/{workerId} (R-G6). An ended worker is shown with `endedAt` (R-G16). */
export const getWorkerV2Operation = gatewayOperation(
  "getWorkerV2",
  ({ params, gateway, known }) => gateway.getPlacedWorker({ ...tenantIn(params), workerId: params.workerId, ...known }),
  ({ worker }) => toWireWorkerV2(present(worker)),
);
