import { matchesEntityTag, passesIfMatch } from "#runtime/http/entity-tag.ts";
import { portalOperation } from "../portal-operation.ts";
import { problem } from "../problem-reply.ts";
import { notFound } from "../unknown-address/not-found-reply.ts";
import { publishedContracts, type Servers } from "./published-contracts.ts";

/** Contracts are public: pages of every origin may read them, and ask whether their copy is current (R-X17). */
export const ANY_ORIGIN = "*";

/** GET /contracts/{file}: a published file with its version and digest; 304 when the client has it already, 412 when `If-Match` names another one. */
export function getContractOperation(servers: Servers) {
  const contracts = publishedContracts(servers);
  const { gatewayUrl } = servers;
  return portalOperation<"getContract">(gatewayUrl, async (request) => {
    const { params, headers } = request;
    const contract = contracts.get(params.file);
    if (contract === undefined) return notFound(gatewayUrl, request);
    const common = {
      etag: contract.entityTag,
      "cache-control": "no-cache",
      "access-control-allow-origin": ANY_ORIGIN,
      "access-control-expose-headers": "etag, x-contract-version, x-contract-sha256, x-request-id",
    } as const;
    if (!passesIfMatch(headers["if-match"], contract.entityTag))
      return {
        status: 412,
        type: "application/problem+json",
        headers: { "cache-control": "no-store", "access-control-allow-origin": ANY_ORIGIN },
        body: problem("precondition_failed", gatewayUrl, request.requestId),
      };
    if (matchesEntityTag(headers["if-none-match"], contract.entityTag)) return { status: 304, headers: common };
    const named = { ...common, "x-contract-version": contract.version, "x-contract-sha256": contract.sha256 };
    // The bytes that the entity tag names, whatever the contract calls them.
    return { status: 200, type: contract.type as never, headers: named, body: contract.body as never };
  });
}
