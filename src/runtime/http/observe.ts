import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { BoundedLog } from "../process/bounded-log.ts";
import type { Log } from "../process/log.ts";
import { Counter, Histogram, type Metrics } from "../process/metrics.ts";
import { traceIdOf } from "../process/trace.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** One answer, as it is logged and measured. */
interface Answered {
  readonly requestId: string;
  readonly traceId?: string | undefined;
  readonly method?: string;
  readonly operationId?: string | undefined;
  readonly caller?: string | undefined;
  readonly status: number;
  readonly durationMs?: number;
}

/** Why an answer ended before it was complete. */
export interface Break {
  /** The client left, the client stopped reading, what it may read has ended (R-X427), or the server could not continue. */
  readonly reason: "left" | "stalled" | "refused" | "failed";
  /** Why the server did not continue. */
  readonly error?: unknown;
}

const BREAK_SENTENCES = {
  left: "A client did not read an answer to its end.",
  stalled: "A client did not read an answer to its end.",
  refused: "An answer was refused before its end.",
} as const;

interface Observers {
  /** Called for answers that are given before Fastify knows of a request. */
  observe(answered: Answered): void;
  /** Called for connections that end without a request, with the reason. */
  refused(reason: "silent" | "slow" | "malformed" | "headers_too_large" | "broken", answered?: Answered): void;
  /** Called for connections that are closed or not accepted, since there are too many. */
  crowded(): void;
  /** Called for connections that are closed since too many requests wait on them. */
  pipelined(): void;
  /** Called before an answer is sent to somebody whose id is proven. */
  calledBy(answer: ServerResponse, caller: string): void;
  /** Called before an answer is broken off for another reason than that its client left. */
  breaking(answer: ServerResponse, why: Break): void;
}

/**
 * One log line and one measurement for each answer, by operation; paths and queries are not logged, since they can hold secrets. An
 * answer that did not reach its client is counted and logged apart.
 */
export function observeRequests(
  app: FastifyInstance,
  { log, rarely, metrics }: { readonly log: Log; readonly rarely: BoundedLog; readonly metrics: Metrics },
): Observers {
  const duration = new Histogram({
    name: "gatehouse_http_request_duration_seconds",
    help: "Time to answer a request, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  const observe = (answered: Answered): void => {
    const { operationId = "unrouted", status, durationMs = 0 } = answered;
    duration.observe({ operation: operationId, status }, durationMs / 1000);
    // Requests for unknown operations are unlimited, so their log lines are bounded.
    if (answered.operationId === undefined) rarely.info(`unrouted ${status}`, "Answered.", answered);
    else log.info("Answered.", answered);
  };
  const callers = new WeakMap<ServerResponse, string>();
  const factsOf = (request: FastifyRequest, reply: FastifyReply) => ({
    requestId: request.id,
    traceId: traceIdOf(request.headers.traceparent),
    method: request.method,
    operationId: request.routeOptions.config.operationId,
    caller: callers.get(reply.raw),
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  });
  const refusals = new Counter({
    name: "gatehouse_http_refused_connections_total",
    help: "Connections that ended without a request that could be read: silent, slow, malformed, headers_too_large, or broken below HTTP; pipelined, with too many requests sent ahead of their answers; and crowded, closed while idle or not accepted, since there were too many.",
    labelNames: ["reason"],
    registers: [metrics],
  });
  // An alert looks for an increase, and all may come between two scrapes.
  refusals.inc({ reason: "crowded" }, 0);
  app.addHook("onResponse", (request, reply, done) => {
    observe({ ...factsOf(request, reply), status: reply.statusCode });
    done();
  });
  const breaks = new Counter({
    name: "gatehouse_http_broken_answers_total",
    help: "Answers that did not reach their client whole, by operation and reason: left, even before they began, stalled, refused or failed.",
    labelNames: ["operation", "reason"],
    registers: [metrics],
  });
  const whys = new WeakMap<ServerResponse, Break>();
  const broken = (request: FastifyRequest, reply: FastifyReply): void => {
    const why = whys.get(reply.raw) ?? { reason: "left" };
    const facts = factsOf(request, reply);
    breaks.inc({ operation: facts.operationId ?? "unrouted", reason: why.reason });
    if (why.reason === "failed") log.error("An answer broke off.", { ...facts, ...why });
    else rarely.info(`answer ${why.reason}`, BREAK_SENTENCES[why.reason], { ...facts, ...why });
  };
  // Fastify calls onResponse only for what was sent to its end, and onRequestAbort for no request that came whole.
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once("close", () => {
      // A request that did not come whole is one of the refused connections.
      if (!reply.raw.writableFinished && request.raw.complete) broken(request, reply);
    });
    done();
  });
  return {
    observe,
    refused(reason, answered) {
      refusals.inc({ reason });
      if (answered === undefined)
        rarely.info(`connection ${reason}`, "A connection ended without a request.", { reason });
      else observe(answered);
    },
    crowded: () => refusals.inc({ reason: "crowded" }),
    pipelined() {
      const reason = "pipelined";
      refusals.inc({ reason });
      rarely.info(`connection ${reason}`, "A client sent too many requests ahead of their answers.", { reason });
    },
    calledBy: (answer, caller) => void callers.set(answer, caller),
    breaking(answer, why) {
      whys.set(answer, why);
    },
  };
}
