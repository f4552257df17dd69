import type { operations as gatewayPaths } from "#generated/operations/gateway.ts";
import type { operations as signOnPaths } from "#generated/operations/sign-on.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { operations as gatewayTypes } from "#generated/types/gateway.ts";
import type { operations as signOnTypes } from "#generated/types/sign-on.ts";
import type { Operation, Operations, Reply } from "#runtime/http/operation.ts";
import { type Implementation, type PromiseClient, registration } from "#runtime/rpc/call.ts";

/**
 * What must not compile, for `tsc` (make check): a line below "@ts-expect-error" that would compile is an error. Nothing here is run.
 */

type Gateway = Pick<gatewayTypes, keyof typeof gatewayPaths>;
type SignOn = Pick<signOnTypes, keyof typeof signOnPaths>;

declare const all: Operations<Gateway>;
declare const allOfSignOn: Operations<SignOn>;
const { listClients: _, ...withoutOne } = all;

// A handler for each operationId, of its own operation.
export const complete: Operations<Gateway> = { ...withoutOne, listClients: all.listClients };
// @ts-expect-error the handler of listClients is missing
export const missing: Operations<Gateway> = withoutOne;
// @ts-expect-error the handler of another operation
export const exchanged: Operations<Gateway> = { ...all, listClients: all.listWorkers };
// @ts-expect-error operations of another contract
export const foreign: Operations<Gateway> = allOfSignOn;

// A reply keeps status, headers, media type and body of its operation together.
type ListReply = Reply<Gateway["listInstanceIntegrations"]>;
type TokenReply = Reply<SignOn["exchangeToken"]>;
const headers = { "cache-control": "private, no-cache", etag: '"1c-x"', vary: "x-api-key, Accept-Encoding" } as const;

export const good: ListReply = { status: 200, headers, body: [] };
// @ts-expect-error a status that is not declared
export const undeclaredStatus: ListReply = { status: 418, headers, body: [] };
// @ts-expect-error a body of another shape
export const wrongBody: ListReply = { status: 200, headers, body: [{ identity: 1 }] };
// @ts-expect-error no body
export const noBody: ListReply = { status: 200, headers };
// @ts-expect-error a required header is missing
export const noHeaders: ListReply = { status: 200, body: [] };
// @ts-expect-error a media type of another status
export const wrongMediaType: ListReply = { status: 200, headers, type: "application/problem+json", body: [] };

const noStore = { "cache-control": "no-store", vary: "Origin" } as const;
declare const tokens: Extract<TokenReply, { readonly status: 200 }>["body"];
export const tokenReply: TokenReply = { status: 200, headers: noStore, body: tokens };
// @ts-expect-error the body of a good answer in an error
export const bodyOfAnother: TokenReply = { status: 400, headers: noStore, body: tokens };

// A handler gets what the contract declares, and nothing else.
export const reads: Operation<Gateway["listClients"]>["handle"] = async ({ params }) => {
  params.instanceIntegrationId satisfies string;
  // @ts-expect-error no such parameter
  params.tenantId;
  return { status: 200, headers, body: [] };
};

// Calls and services: derived from the generated definition.
declare const client: PromiseClient<typeof GatewayService>;
declare const methods: Implementation<typeof GatewayService>;
const { listTenants: __, ...withoutMethod } = methods;

export const called = client.listTenants({ instanceIntegrationId: "x" });
// @ts-expect-error a field that is missing
export const missingField = client.listTenants({});
// @ts-expect-error a field of another type
export const wrongField = client.listTenants({ instanceIntegrationId: 1 });
// @ts-expect-error a field that the message has not
export const extraField = client.listTenants({ instanceIntegrationId: "x", colour: "red" });
// @ts-expect-error a method that the service has not
export const noMethod = client.listColours;
// @ts-expect-error what grpc-js's own client would let through
export const leaked = client.close;
export const served = registration(GatewayService, methods);
// @ts-expect-error a method that is missing
export const servedWithout = registration(GatewayService, withoutMethod);
