import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../process/log.ts";
import { traceMetadata } from "../process/trace.ts";
import { parseBody, readForm } from "./body.ts";
import { type Contract, type ContractOperation, loadContract } from "./contract.ts";
import { withDeprecation } from "./deprecation.ts";
import { atEndOfTurn } from "./end-of-turn.ts";
import type {
  AnyOperation,
  AnyReply,
  Area,
  EdgeRequest,
  InvalidPart,
  UnroutedCode,
  ValidRequest,
} from "./operation.ts";
import { answerPreflight } from "./preflight.ts";
import { PARAMETERS_MAX, parseQuery, splitOnce } from "./query.ts";
import { remoteAddressOf } from "./remote-address.ts";
import type { Send } from "./reply.ts";

/** Fastify's error for a Content-Type that is not a media type. */
const INVALID_MEDIA_TYPE = "FST_ERR_CTP_INVALID_MEDIA_TYPE";

interface RouteTools {
  readonly log: Log;
  readonly send: Send;
  /** Called before an answer is sent to somebody whose id is proven. */
  readonly calledBy: (answer: FastifyReply["raw"], caller: string) => void;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  refuse(request: FastifyRequest, reply: FastifyReply, status: number, code: UnroutedCode): FastifyReply;
}

/** A request, and the operation that it asks for. */
interface Asked {
  readonly contract: Contract;
  readonly operation: ContractOperation;
  readonly implementation: AnyOperation;
  readonly area: Area;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request whose answer can be sent. */
interface Ready extends Asked {
  readonly answer: AnyReply;
}

/**
 * Makes a Fastify route of every operation of every area, and of OPTIONS where the contract has it. Returns a function
 * that gives the methods of a path as the value of `allow`; any other method is 405 (R-X23). It returns `undefined` for
 * a path that no operation has.
 */
export function addRoutes(
  app: FastifyInstance,
  areas: readonly Area[],
  tools: RouteTools,
): (path: string) => string | undefined {
  const send = answering(tools);
  const offers: (readonly [address: RegExp, allow: string])[] = [];
  for (const area of areas) {
    const contract = loadContract(area.contract);
    for (const operation of contract.operations) {
      const implementation = area.operations[operation.operationId];
      if (implementation === undefined)
        throw new Error(`The operation ${operation.operationId} of ${area.name} has no handler.`);
      const offered = { contract, operation, implementation, area };
      const handler = (request: FastifyRequest, reply: FastifyReply): void => {
        // Fastify waits for no promise: with one it would watch the answer until it is sent.
        answer({ ...offered, request, reply }, tools, send).catch((error: unknown) => reply.send(error));
      };
      app.route({
        // HEAD runs the operation too, and node:http drops the body. Fastify's own HEAD routes would give a 304 a length of 0 (RFC 9110 §8.6).
        method: operation.method === "GET" ? ["GET", "HEAD"] : operation.method,
        url: operation.route,
        config: { operationId: operation.operationId },
        handler,
        errorHandler(error: Error & { readonly code?: string }, request, reply) {
          // Treated like any other media type that the operation does not accept: with the operation's own refusal
          // (R-S1).
          if (error.code === INVALID_MEDIA_TYPE) return handler(request, reply);
          throw error;
        },
      });
    }
    offers.push(...addOptions(app, area, contract, tools));
  }
  return (path) => offers.find(([address]) => address.test(path))?.[1];
}

/** Matches paths of the template: fixed parts literally, and any characters except a slash for a parameter. */
const addressOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/[.+]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`);

/** Adds OPTIONS where it is answered; returns what each address of the area allows. */
function addOptions(
  app: FastifyInstance,
  area: Area,
  contract: Contract,
  tools: RouteTools,
): readonly (readonly [address: RegExp, allow: string])[] {
  return [...Map.groupBy(contract.operations, ({ route }) => route)].map(([url, offered]) => {
    const methods = new Set<string>(offered.map(({ method }) => method));
    if (methods.has("GET")) methods.add("HEAD");
    const cors = offered[0]?.cors;
    if (cors !== undefined) addPreflight(app, area, cors, url, [...methods], tools);
    if (contract.answersOptions || cors !== undefined) methods.add("OPTIONS");
    const allow = [...methods].sort().join(", ");
    if (contract.answersOptions) {
      // The answer is public: no key is required, and ids in the path are not checked (RFC 9110 §9.3.7).
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        tools.send(request, reply, { status: 204, headers: { allow } });
      app.route({ method: "OPTIONS", url, handler });
    }
    return [addressOf(url), allow] as const;
  });
}

function addPreflight(
  app: FastifyInstance,
  area: Area,
  cors: string,
  url: string,
  methods: readonly string[],
  { log, send, stopping }: Pick<RouteTools, "log" | "send" | "stopping">,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = "/", rawQuery = ""] = splitOnce(request.url, "?");
    try {
      const seen = edgeRequest("preflight", request, reply, { path, rawQuery, stopping });
      return send(request, reply, await answerPreflight(seen, area, cors, methods));
    } catch (error) {
      log.error("A preflight failed at the edge.", { requestId: request.id, error });
      return send(request, reply, area.unrouted(500, "internal_error", request.id));
    }
  };
  app.route({ method: "OPTIONS", url, handler });
}

/** Sends what is ready at the end of the turn; what is still being made, at once. What cannot be sent is answered with 500. */
function answering({ log, send, calledBy }: Pick<RouteTools, "log" | "send" | "calledBy">): (ready: Ready) => void {
  const sendAnnounced = ({ request, reply, operation: { deprecation } }: Asked, answer: AnyReply) => {
    if (answer.caller !== undefined) calledBy(reply.raw, answer.caller);
    send(
      request,
      reply,
      deprecation === undefined ? answer : { ...answer, headers: withDeprecation(answer.headers, deprecation) },
    );
  };
  const sendReady = (ready: Ready): void => {
    try {
      sendAnnounced(ready, ready.answer);
    } catch (error) {
      sendAnnounced(ready, faultOfTheEdge(log, ready, error));
    }
  };
  const together = atEndOfTurn(sendReady);
  // Whose client is gone, or asks with HEAD, is not made any further.
  return (ready) => (ready.answer.chunks === undefined ? together : sendReady)(ready);
}

// Operations render their own failures, so an error that reaches this place is a fault of the edge itself.
function faultOfTheEdge(log: Log, { request, area, operation }: Asked, error: unknown): AnyReply {
  const { operationId } = operation;
  log.error("An operation failed at the edge.", { requestId: request.id, operationId, error });
  return area.unrouted(500, "internal_error", request.id);
}

async function answer(asked: Asked, { log, stopping, refuse }: RouteTools, send: (ready: Ready) => void) {
  const { operation, request, reply } = asked;
  // A coded body is refused before its bytes are parsed as a form or JSON (RFC 9110 §8.4, §15.5.16; R-X152).
  if (operation.mediaTypes.length > 0 && hasBody(request) && isCoded(request)) {
    refuse(request, reply.header("accept-encoding", "identity"), 415, "unsupported_media_type");
    return;
  }
  const ready = await run(asked, stopping).catch((error: unknown) => faultOfTheEdge(log, asked, error));
  send({ ...asked, answer: ready });
}

async function run(
  { contract, operation, implementation, area, request, reply }: Asked,
  stopping: AbortSignal,
): Promise<AnyReply> {
  const [path = "/", rawQuery = ""] = splitOnce(request.url, "?");
  const { query, parts: queryParts } = parseQuery(rawQuery, operation.queryNames, implementation.unchecked === true);
  const { body, rawForm = "", parts: bodyParts } = readBody(operation, request, implementation.unchecked === true);
  const seen = edgeRequest(operation.operationId, request, reply, { path, rawQuery, rawForm, stopping });
  const parts = [...queryParts, ...bodyParts];
  if (implementation.unchecked !== true) {
    const params = request.params as Readonly<Record<string, string>>;
    const unread = { body: bodyParts.length > 0, query: queryParts.map(({ name }) => name) };
    parts.push(...contract.validate(operation.operationId, { params, query, headers: request.headers, body, unread }));
  }
  const asked = Object.assign(seen, { params: request.params, query, body });
  const answer = await (parts.length > 0
    ? implementation.invalid(asked, parts)
    : implementation.handle(asked as ValidRequest<never> as never));
  if (answer.refused !== undefined) area.refused?.(asked, answer.refused);
  return answer;
}

interface EdgeRequestFacts extends Pick<EdgeRequest, "path" | "rawQuery"> {
  readonly rawForm?: string;
  readonly stopping: AbortSignal;
}

function edgeRequest(
  operationId: string,
  request: FastifyRequest,
  { raw: answer }: FastifyReply,
  { path, rawQuery, rawForm = "", stopping }: EdgeRequestFacts,
): EdgeRequest {
  const { rawHeaders } = request.raw;
  return {
    operationId,
    requestId: request.id,
    trace: traceMetadata(request.headers.traceparent),
    remoteAddress: remoteAddressOf(request),
    path,
    rawQuery,
    rawForm,
    headers: request.headers,
    countOf: (header) => countOf(rawHeaders, header),
    untilLeft: () => untilClosed(answer),
    waiting: () => AbortSignal.any([untilClosed(answer), stopping]),
  };
}

/** Aborted when the connection of an answer ends; also behind its last byte, when nobody asks any more. */
function untilClosed(answer: FastifyReply["raw"]): AbortSignal {
  if (answer.destroyed) return AbortSignal.abort();
  const left = new AbortController();
  answer.once("close", () => left.abort());
  return left.signal;
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

const FORM = "application/x-www-form-urlencoded";

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** True when the body has a content coding; none is decoded here. */
const isCoded = ({ headers }: FastifyRequest): boolean =>
  (headers["content-encoding"] ?? "").split(",").some((coding) => !UNCODED.has(coding.trim().toLowerCase()));

const UNCODED: ReadonlySet<string> = new Set(["", "identity"]);

function readBody(
  operation: ContractOperation,
  request: FastifyRequest,
  lenient: boolean,
): { body?: unknown; rawForm?: string; parts: InvalidPart[] } {
  const isThere = hasBody(request);
  if (operation.mediaTypes.length === 0) {
    return { parts: isThere ? [{ in: "body", name: "/", detail: "is not taken by this operation" }] : [] };
  }
  if (!isThere && !operation.bodyRequired) return { parts: [] };
  const mediaType = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!operation.mediaTypes.includes(mediaType)) {
    return { parts: [{ in: "header", name: "content-type", detail: `must be ${operation.mediaTypes.join(" or ")}` }] };
  }
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (lenient && mediaType === FORM) {
    const form = readForm(bytes, PARAMETERS_MAX);
    return "refused" in form ? { parts: [form.refused] } : { rawForm: form.text, parts: [] };
  }
  const parsed = parseBody(mediaType, bytes);
  return "refused" in parsed ? { parts: [parsed.refused] } : { body: parsed.value, parts: [] };
}
