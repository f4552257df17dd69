import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "../../src/runtime/http/certificate.ts";
import { type EdgeServer, type EdgeServerOptions, startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import type { AnyOperation, AnyReply, Area, UnroutedCode } from "../../src/runtime/http/operation.ts";
import type { Log } from "../../src/runtime/process/log.ts";
import { createMetrics, type Metrics } from "../../src/runtime/process/metrics.ts";
import { resolve } from "./contract.ts";
import { seededRandom } from "./random.ts";
import { silentLog } from "./silent-log.ts";

/** What an operation of the tests does instead of answering with its example. */
export type StubHandler = (request: StubRequest) => Promise<AnyReply>;

/** A valid request without the types of its operation. */
export interface StubRequest {
  readonly operationId: string;
  readonly requestId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface StubEdgeOptions {
  /** By operationId. */
  readonly handlers?: Readonly<Record<string, StubHandler>>;
  readonly timeouts?: EdgeServerOptions["timeouts"];
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly certificate?: Certificate;
  readonly means?: EdgeServerOptions["means"];
  readonly trustedProxies?: readonly string[];
  /** 127.0.0.1 by default. */
  readonly host?: string;
}

export interface StubEdge extends EdgeServer {
  readonly url: string;
}

interface Node {
  readonly [key: string]: unknown;
}

const FOLDER = join(import.meta.dirname, "..", "..", "generated", "contracts");

const contracts = new Map<string, Node>();

/** The same each time: an edge compiles what it has not seen. */
function contractOf(name: string): Node {
  const contract = contracts.get(name) ?? (JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Node);
  contracts.set(name, contract);
  return contract;
}

/** The public listener over the published contracts, with every operation answering with the contract's own example. */
export async function startStubEdge({
  handlers = {},
  timeouts,
  log = silentLog,
  metrics = createMetrics(),
  certificate,
  means,
  trustedProxies = [],
  host = "127.0.0.1",
}: StubEdgeOptions = {}): Promise<StubEdge> {
  const server = await startEdgeServer({
    host,
    port: 0,
    areas: [
      stubArea("sign-on", handlers, (path) => /^\/(auth|\.well-known)(\/|$)/.test(path)),
      stubArea("portal", handlers, (path) => path === "/" || /^\/(contracts|problems|assets|docs)\//.test(path)),
      stubArea("gateway", handlers, () => true),
    ],
    log,
    metrics,
    random: seededRandom(),
    certificate,
    means,
    trustedProxies,
    ...(timeouts && { timeouts }),
  });
  return { ...server, url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${server.port}` };
}

function stubArea(name: string, handlers: StubEdgeOptions["handlers"], owns: (path: string) => boolean): Area {
  const contract = contractOf(name);
  const operations: Record<string, AnyOperation> = {};
  for (const item of Object.values(contract.paths as Node)) {
    for (const operation of Object.values(item as Node)) {
      const { operationId, responses } = operation as { operationId?: string; responses: Node };
      if (operationId === undefined) continue;
      const statuses = Object.keys(responses).map(Number);
      const good = Math.min(...statuses);
      const bad = statuses.includes(400) ? 400 : 404;
      operations[operationId] = {
        handle: (request) =>
          (handlers?.[operationId] ?? (async () => exampleReply(contract, responses, good)))(request),
        invalid: async ({ requestId }) => numbered(exampleReply(contract, responses, bad), bad, requestId),
        // As in ours: its mistakes are answered by a redirect or a page.
        unchecked: operationId === "authorize",
      };
    }
  }
  return { name, contract, operations, owns, unrouted: name === "sign-on" ? oauthUnrouted : problemUnrouted };
}

/** The first example of a response, with the examples of its required headers. */
function exampleReply(contract: Node, responses: Node, status: number): AnyReply {
  const response = resolve(contract, responses[String(status)]) as { headers?: Node; content?: Node };
  const headers = Object.entries(response.headers ?? {}).flatMap(([name, node]) => {
    const header = resolve(contract, node) as { required?: boolean; example?: unknown };
    return header.required === true && name !== "X-Request-Id"
      ? [[name.toLowerCase(), String(header.example)] as const]
      : [];
  });
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  if (type === undefined) return { status, headers: Object.fromEntries(headers) };
  const [example] = Object.values((media as { examples?: Node }).examples ?? {});
  const body = (resolve(contract, example) as { value?: unknown } | undefined)?.value;
  return { status, headers: Object.fromEntries(headers), type, body: body ?? (type.includes("json") ? {} : "text") };
}

/** A problem must name its own request and status. */
function numbered(reply: AnyReply, status: number, requestId: string): AnyReply {
  return reply.type === "application/problem+json"
    ? { ...reply, body: { ...(reply.body as object), status, requestId } }
    : reply;
}

const oauthUnrouted = (status: number, code: UnroutedCode): AnyReply => ({
  status,
  headers: { "cache-control": "no-store", vary: "Origin" },
  // As the product has it: what RFC 6749 has no word for is invalid_request (R-D7).
  body: {
    error: code === "internal_error" ? "server_error" : "invalid_request",
    error_description: `The request was refused before an operation was chosen: ${code}.`,
  },
});

const problemUnrouted = (status: number, code: UnroutedCode, requestId: string): AnyReply => ({
  status,
  type: "application/problem+json",
  headers: { "cache-control": "no-store" },
  body: {
    type: `http://localhost:8080/problems/${code}`,
    title: code,
    status,
    detail: "The request was refused before an operation was chosen.",
    code,
    message: "The request was refused before an operation was chosen.",
    requestId,
  },
});
