import { hash } from "node:crypto";
import contract from "#generated/contracts/gateway.json" with { type: "json" };
import type { operations as paths } from "#generated/operations/gateway.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { operations } from "#generated/types/gateway.ts";
import { type Area, area, type Operations } from "#runtime/http/operation.ts";
import { unroutedDetail } from "#runtime/http/unrouted.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { answerMemory } from "./gateway/answer-memory.ts";
import { problemReply } from "./gateway/gateway-error.ts";
import { type GatewayEdge, provenBy } from "./gateway/gateway-operation.ts";
import { keyedRequests } from "./gateway/keyed-requests.ts";
import { longLists } from "./gateway/long-lists.ts";
import { listInstanceIntegrationsOperation } from "./instance-integrations/instance-integrations-handler.ts";
import { getOrganizationStructureOperation } from "./organization/organization-handler.ts";
import { getClientOperation, listClientsOperation } from "./tenants/tenants-handler.ts";
import { getUserOperation, listUsersOperation } from "./users/users-handler.ts";
import {
  getWorkerV2Operation,
  listJobTitlesOperation,
  listWorkersOperation,
  listWorkersV2Operation,
} from "./workers/workers-handler.ts";

interface GatewayEdgeDeps {
  readonly connect: Carrier["connect"];
  /** Origin of the gateway's public address, without a slash at the end. */
  readonly gatewayUrl: string;
  /** The program's. */
  readonly version: string;
  /** The operations below /v1/webhooks, made with what keys, rates and problems have in common on the gateway. */
  webhooks(keyed: ReturnType<typeof keyedRequests>): Operations<WebhooksOperations>;
}

/** The contract's operations below paths; its events are no operations of ours. */
type GatewayOperations = Pick<operations, keyof typeof paths>;
type WebhooksOperations = {
  [Id in keyof typeof paths as (typeof paths)[Id]["path"] extends `/v1/webhooks/${string}`
    ? Id
    : never]: operations[Id];
};

/**
 * The gateway API: every path below /v1 and /v2, whether or not an operation is there. What is about webhooks is
 * answered by the domain webhooks.
 */
export function gatewayEdge({ connect, gatewayUrl, version, webhooks }: GatewayEdgeDeps): Area {
  // Another program, contract or address may write down the same revision in other words.
  const representation = hash("sha256", JSON.stringify([version, gatewayUrl, contract]), "base64url");
  const gateway = connect(GatewayService);
  const edge: GatewayEdge = {
    gateway,
    proven: provenBy(gateway),
    longLists: longLists(),
    answers: answerMemory(),
    gatewayUrl,
    representation,
  };
  return area<GatewayOperations>({
    name: "gateway",
    contract,
    operations: {
      listInstanceIntegrations: listInstanceIntegrationsOperation(edge),
      listClients: listClientsOperation(edge),
      getClient: getClientOperation(edge),
      listJobTitles: listJobTitlesOperation(edge),
      getOrganizationStructure: getOrganizationStructureOperation(edge),
      listUsers: listUsersOperation(edge),
      getUser: getUserOperation(edge),
      listWorkers: listWorkersOperation(edge),
      listWorkersV2: listWorkersV2Operation(edge),
      getWorkerV2: getWorkerV2Operation(edge),
      ...webhooks(keyedRequests(gatewayUrl)),
    },
    owns: (path) => /^\/v[12](\/|$)/.test(path),
    unrouted(status, code, requestId, asked) {
      const detail = unroutedDetail(code, asked);
      return { ...problemReply(code, { gatewayUrl, requestId, ...(detail !== undefined && { detail }) }), status };
    },
  });
}
