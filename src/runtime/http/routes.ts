import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../basis/log.ts";
import { decodeFormPart } from "../basis/text.ts";
import { traceMetadata } from "../basis/trace.ts";
import { parseBody } from "./body.ts";
import { type Contract, type ContractOperation, loadContract } from "./contract.ts";
import { withDeprecation } from "./deprecation.ts";
import type {
  AnyOperation,
  AnyReply,
  Area,
  EdgeRequest,
  InvalidPart,
  UnroutedCode,
  ValidRequest,
} from "./operation.ts";
import { remoteAddressOf } from "./remote-address.ts";
import type { Send } from "./reply.ts";

const ALL_METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT", "OPTIONS", "TRACE"] as const;
/** Fastify's error for a Content-Type that is no media type. */
const INVALID_MEDIA_TYPE = "FST_ERR_CTP_INVALID_MEDIA_TYPE";
const QUERY_PARAMETERS_MAX = 200;

interface RouteTools {
  readonly log: Log;
  readonly send: Send;
  refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: UnroutedCode): FastifyReply;
}

/** Makes a Fastify route of every operation of every area, and 204 (OPTIONS) or 405 of the other methods of their paths. */
export async function addRoutes(app: FastifyInstance, areas: readonly Area[], tools: RouteTools): Promise<void> {
  for (const area of areas) {
    const contract = await loadContract(area.contract);
    for (const operation of contract.operations) {
      const implementation = area.operations[operation.operationId];
      if (implementation === undefined)
        throw new Error(`The operation ${operation.operationId} of ${area.name} has no handler.`);
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        answer(contract, operation, implementation, area, tools, request, reply);
      app.route({
        // HEAD runs the operation too, and node:http drops the body. Fastify's own HEAD routes would give a 304 a length of 0 (RFC 9110 §8.6).
        method: operation.method === "GET" ? ["GET", "HEAD"] : operation.method,
        url: operation.route,
        config: { operationId: operation.operationId },
        handler,
        errorHandler(error: Error & { readonly code?: string }, request, reply) {
          // Like any other media type that the operation does not take: the operation's own refusal (R-S1).
          if (error.code === INVALID_MEDIA_TYPE) return handler(request, reply);
          throw error;
        },
      });
    }
    addOtherMethods(app, contract, tools);
  }
}

function addOtherMethods(app: FastifyInstance, contract: Contract, { refuse, send }: RouteTools): void {
  for (const [url, offered] of Map.groupBy(contract.operations, ({ route }) => route)) {
    const methods = new Set<string>(offered.map(({ method }) => method));
    if (methods.has("GET")) methods.add("HEAD");
    if (contract.answersOptions) methods.add("OPTIONS");
    const allow = [...methods].sort().join(", ");
    if (contract.answersOptions) {
      // What the contract says to everybody: no key is asked for, and no id in the path is looked at (RFC 9110 §9.3.7).
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        send(request, reply, { status: 204, headers: { allow } });
      app.route({ method: "OPTIONS", url, handler });
    }
    app.route({
      method: ALL_METHODS.filter((method) => !methods.has(method)),
      url,
      handler: (request, reply) => refuse(request, reply.header("allow", allow), 405, "method_not_allowed"),
    });
  }
}

async function answer(
  contract: Contract,
  operation: ContractOperation,
  implementation: AnyOperation,
  area: Area,
  { log, send }: RouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { deprecation } = operation;
  const sendTelling = (told: AnyReply) =>
    send(
      request,
      reply,
      deprecation === undefined ? told : { ...told, headers: withDeprecation(told.headers, deprecation) },
    );
  try {
    return sendTelling(await run(contract, operation, implementation, request));
  } catch (error) {
    // Operations render their own failures; what arrives here is a fault of the edge itself.
    log.error("An operation failed at the edge.", { requestId: request.id, operationId: operation.operationId, error });
    return sendTelling(area.unrouted(500, "internal_error", request.id));
  }
}

async function run(
  contract: Contract,
  operation: ContractOperation,
  implementation: AnyOperation,
  request: FastifyRequest,
): Promise<AnyReply> {
  const [path = "/", rawQuery = ""] = splitOnce(request.url, "?");
  const seen = edgeRequest(operation.operationId, request, path, rawQuery);
  const { query, parts: queryParts } = parseQuery(rawQuery, operation.queryNames, implementation.unchecked === true);
  const { body, parts: bodyParts } = readBody(operation, request);
  const parts = [...queryParts, ...bodyParts];
  if (parts.length === 0 && implementation.unchecked !== true) {
    const params = request.params as Readonly<Record<string, string>>;
    parts.push(...contract.validate(operation.operationId, { params, query, headers: request.headers, body }));
  }
  if (parts.length > 0) return implementation.invalid({ ...seen, body }, parts);
  const valid = Object.assign(seen, { params: request.params, query, body });
  return implementation.handle(valid as ValidRequest<never> as never);
}

function edgeRequest(operationId: string, request: FastifyRequest, path: string, rawQuery: string): EdgeRequest {
  const { rawHeaders } = request.raw;
  return {
    operationId,
    requestId: request.id,
    trace: traceMetadata(request.headers.traceparent),
    remoteAddress: remoteAddressOf(request.raw),
    path,
    rawQuery,
    headers: request.headers,
    countOf: (header) => countOf(rawHeaders, header),
  };
}

/** @param rawHeaders names and values in turn, as node:http gives them. */
function countOf(rawHeaders: readonly string[], header: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === header.length && name.toLowerCase() === header) count++;
  }
  return count;
}

/** Declared parameters only (the others are ignored, R-G9, R-S14); a repeated one becomes an array, which no scalar schema takes. */
function parseQuery(
  rawQuery: string,
  declared: ReadonlySet<string>,
  lenient: boolean,
): { query: Record<string, string | string[]>; parts: InvalidPart[] } {
  const query: Record<string, string | string[]> = {};
  if (rawQuery === "") return { query, parts: [] };
  const pairs = rawQuery.split("&", QUERY_PARAMETERS_MAX + 1);
  if (pairs.length > QUERY_PARAMETERS_MAX)
    return { query, parts: [{ in: "query", name: "", detail: "has too many parameters" }] };
  for (const pair of pairs) {
    const [rawName = "", rawValue = ""] = splitOnce(pair, "=");
    const name = decodeFormPart(rawName);
    const value = decodeFormPart(rawValue);
    // What is not declared is ignored, whatever it holds, where the operation itself judges its parameters (R-S14).
    if (lenient && name !== undefined && !declared.has(name)) continue;
    if (name === undefined || value === undefined) {
      return { query, parts: [{ in: "query", name: name ?? "", detail: "has malformed percent-encoding, or NUL" }] };
    }
    if (!declared.has(name)) continue;
    const before = query[name];
    query[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return { query, parts: [] };
}

function readBody(operation: ContractOperation, request: FastifyRequest): { body?: unknown; parts: InvalidPart[] } {
  const hasBody =
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (operation.mediaTypes.length === 0) {
    return { parts: hasBody ? [{ in: "body", name: "/", detail: "is not taken by this operation" }] : [] };
  }
  const mediaType = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!operation.mediaTypes.includes(mediaType)) {
    return { parts: [{ in: "header", name: "content-type", detail: `must be ${operation.mediaTypes.join(" or ")}` }] };
  }
  const parsed = parseBody(mediaType, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  return "refused" in parsed ? { parts: [parsed.refused] } : { body: parsed.value, parts: [] };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
