import { createServer, type ServerResponse } from "node:http";
import type { Server } from "node:net";
import { CannotStart } from "../basis/errors.ts";
import { inTime, LATE } from "../basis/in-time.ts";
import { onceMeanwhile, onceMeanwhileFor } from "../basis/once-meanwhile.ts";
import { urlHost } from "../basis/url-host.ts";
import type { HealthCheck, Part } from "./lifecycle.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { createScrape } from "./scrape.ts";

interface ManagementOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: readonly HealthCheck[];
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface Management extends Part {
  /** For example `http://127.0.0.1:8081`. */
  readonly address: string;
  /** At which it listens, also where the system chose it. */
  readonly port: number;
  /** Marks the process ready; before this call `/health/ready` answers 503. */
  started(): void;
  /** Marks the process not ready, while requests under way finish. */
  draining(): void;
}

/**
 * The management listener: health and metrics, on a port of its own that cannot be reached through the public one
 * (S58). It is only read: a POST, such as a webhook that was led here, is refused and never acknowledged (R-X278). Plain
 * node:http, since roles without Fastify need it too.
 * @throws CannotStart when the port is taken.
 */
export async function startManagement({ host, port, checks, metrics, log }: ManagementOptions): Promise<Management> {
  let state: "starting" | "started" | "draining" = "starting";

  // Each may ask the store or another process, and a client can send thousands of requests in one packet (R-X425). One that
  // hangs is not asked again before it has ended.
  const resultOf = onceMeanwhileFor(({ check }: HealthCheck) => check());
  const checkAll = onceMeanwhile(() =>
    Promise.all(
      checks.map(async (check) => ({
        name: check.name,
        degrades: check.degrades ?? false,
        result: (await safely(() => resultOf(check))) ?? "ok",
      })),
    ),
  );
  const ready = async (response: ServerResponse) => {
    const results = await checkAll();
    const failed = results.filter(({ result }) => result !== "ok");
    const well = state === "started" && failed.every(({ degrades }) => degrades);
    const readiness = failed.length === 0 ? "ready" : "degraded";
    answer(response, well ? 200 : 503, {
      status: well ? readiness : state === "started" ? "not ready" : state,
      checks: Object.fromEntries(results.map(({ name, result }) => [name, result])),
    });
  };

  const scrape = createScrape(metrics, log);
  // Bytes, which all answers share: of a text each that is not taken would have its own.
  const measure = onceMeanwhile(async () => Buffer.from(await scrape()));
  const measured = async (response: ServerResponse) => {
    const bytes = await measure();
    response.setHeader("content-type", metrics.contentType).end(bytes);
  };

  // As at the public listener, whatever the environment says (--insecure-http-parser).
  const server = createServer({ insecureHTTPParser: false }, (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", READ);
      return answer(response, 405, { status: "only read", offered: READ });
    }
    const [path] = (request.url ?? "/").split("?", 1);
    if (path === "/health/live") return answer(response, 200, { status: "live" });
    if (path === "/health/started") return answer(response, state === "starting" ? 503 : 200, { status: state });
    if (path === "/health/ready") return void ready(response);
    if (path === "/metrics") return void measured(response);
    answer(response, 404, {
      status: "unknown",
      offered: ["/health/live", "/health/started", "/health/ready", "/metrics"],
    });
  });
  server.requestTimeout = 5_000;
  await listen(server, host, port, "management");
  const bound = server.address();
  const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
  log.info("Management is listening.", { address: `${urlHost(host)}:${boundPort}` });
  return {
    name: "management",
    address: `http://${urlHost(host)}:${boundPort}`,
    port: boundPort,
    started() {
      state = "started";
    },
    draining() {
      state = "draining";
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The methods of all that is offered, as the value of `allow` (RFC 9110 §10.2.1). */
const READ = "GET, HEAD";

const answer = (response: ServerResponse, status: number, body: unknown): void => {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(`${JSON.stringify(body)}\n`);
};

const CHECK_MS = 2_000;

/** A check that throws or hangs is a failed check. */
async function safely(check: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    const result = await inTime(check(), CHECK_MS);
    return result === LATE ? "no answer" : result;
  } catch {
    return "failed";
  }
}

/** Listens. @throws CannotStart with one line that names the setting. */
function listen(server: Server, host: string, port: number, listener: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portRefused(error, host, port, listener)));
    server.listen({ host, port }, resolve);
  });
}

/** How the names of a listener's two settings begin. */
type Listener = "management" | "public";

/** Codes of an address that this machine does not have, whatever the port. */
const OF_THE_ADDRESS = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"];

export function portRefused(error: unknown, host: string, port: number, listener: Listener): CannotStart {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another program.`,
    EACCES: `Port ${port} on ${host} needs rights that this program has not.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is neither an address nor a name that this machine knows.`,
  };
  const setting = `${listener}-${OF_THE_ADDRESS.includes(code ?? "") ? "host" : "port"}`;
  const reason = reasons[code ?? ""] ?? `Port ${port} on ${host} cannot be used (${message}).`;
  return new CannotStart(`${reason} Set ${setting} to another.`, { cause: error, settings: [setting] });
}
