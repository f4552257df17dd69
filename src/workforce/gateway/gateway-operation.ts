import type { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { operations } from "#generated/types/gateway.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { ID_PREFIXES, type IdKind } from "#runtime/basis/ids.ts";
import type { AnyReply, EdgeRequest, InvalidPart, Operation, Reply, ValidRequest } from "#runtime/http/operation.ts";
import type { CallOptions, PromiseClient } from "#runtime/rpc/call.ts";
import { proofOf, toProofMetadata } from "../integrations/api-key.ts";
import { failureReply, type ProblemContext, problemReply } from "./gateway-error.ts";

/** What every gateway operation works with. */
export interface GatewayEdge {
  readonly gateway: PromiseClient<typeof GatewayService>;
  /** Origin of the pages that problems lead to. */
  readonly gatewayUrl: string;
}

type Client = GatewayEdge["gateway"];
/** The service as a handler calls it: the key's proof and the request id go along by themselves. */
export type ProvenGateway = {
  readonly [K in keyof Client]: (request: Parameters<Client[K]>[0]) => ReturnType<Client[K]>;
};

/** The body of an operation's good answer. */
export type OkBody<Op> = Op extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : never;

type Handler<Op extends operations[keyof operations]> = (
  request: Pick<ValidRequest<Op>, "params"> & { readonly gateway: ProvenGateway },
) => Promise<{ readonly status: 200; readonly body: OkBody<Op> }>;

/**
 * Makes an operation of a handler that translates. Every request costs exactly one call: the handler's own, or `CheckCaller` when the
 * request is known to be invalid, so that a bad key is told first (R-G2, R-G15); a key that has not the form of one costs none.
 */
export const gatewayOperation =
  <Id extends keyof operations>(handler: Handler<operations[Id]>) =>
  (edge: GatewayEdge): Operation<operations[Id]> => ({
    handle: (request) => ask(edge, request, (gateway) => handler({ params: request.params, gateway })),
    invalid: (request, parts) => refuse(edge, request, parts),
  });

/** Answers with what the one call of `read` gave. */
export const ask = <Op extends operations[keyof operations]>(
  edge: GatewayEdge,
  request: ValidRequest<Op>,
  read: (
    gateway: ProvenGateway,
  ) => Promise<{ readonly body: OkBody<Op>; readonly headers?: Readonly<Record<string, string>> }>,
): Promise<Reply<Op>> =>
  withKey(edge, request, async (options) => {
    const { body, headers } = await read(bind(edge.gateway, options));
    return { status: 200, headers: { ...headers, "Cache-Control": "private, no-cache" }, body };
  }) as Promise<Reply<Op>>;

/** Answers a request that is known to be invalid, once its key is proven. */
export const refuse = (edge: GatewayEdge, request: EdgeRequest, parts: readonly InvalidPart[]): Promise<AnyReply> =>
  withKey(edge, request, async (options, context) => {
    await edge.gateway.checkCaller({}, options);
    return problemReply("invalid_request", { ...context, errors: parts.map(inOurWords) });
  });

/** Runs the one call of a request with the proof of its key, and answers failures. What is no failure of ours is a fault of the edge. */
async function withKey(
  edge: GatewayEdge,
  request: EdgeRequest,
  answer: (options: CallOptions, context: ProblemContext) => Promise<AnyReply>,
): Promise<AnyReply> {
  const { requestId } = request;
  const context = { gatewayUrl: edge.gatewayUrl, requestId };
  const proof = proofIn(request);
  if (proof === undefined) return problemReply("unauthorized", context);
  try {
    return await answer({ metadata: toProofMetadata(proof), requestId }, context);
  } catch (error) {
    if (error instanceof Failure) return failureReply(error, context);
    throw error;
  }
}

/** The key stands in its header, exactly once (R-G11). */
function proofIn(request: EdgeRequest) {
  const key = request.headers["x-api-key"];
  return typeof key === "string" && request.countOf("x-api-key") === 1 ? proofOf(key) : undefined;
}

function bind(client: Client, options: CallOptions): ProvenGateway {
  const bound = Object.entries(client).map(([name, method]) => [
    name,
    (request: never) => (method as (request: never, options: CallOptions) => unknown)(request, options),
  ]);
  return Object.fromEntries(bound) as ProvenGateway;
}

const PATH_IDS: Readonly<Record<string, IdKind>> = {
  instanceIntegrationId: "instanceIntegration",
  clientId: "tenant",
  userId: "user",
  workerId: "worker",
};

/** The validator words a wrong id as a pattern; people are told what it looks like (R-G13). */
function inOurWords(part: InvalidPart): InvalidPart {
  const kind = part.in === "path" ? PATH_IDS[part.name] : undefined;
  return kind === undefined
    ? part
    : { ...part, detail: `must be ${ID_PREFIXES[kind]}_ followed by 21 letters or digits` };
}
