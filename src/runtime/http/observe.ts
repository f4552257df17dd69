import type { FastifyInstance } from "fastify";
import type { BoundedLog } from "../basis/bounded-log.ts";
import type { Log } from "../basis/log.ts";
import { Counter, Histogram, type Metrics } from "../basis/metrics.ts";
import { traceIdOf } from "../basis/trace.ts";

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
  readonly status: number;
  readonly durationMs?: number;
}

/** An answer that ended before it was complete. */
export interface BrokenAnswer {
  readonly requestId: string;
  readonly operationId: string | undefined;
  /** The client left, the client stopped reading, or the server could not continue. */
  readonly reason: "left" | "stalled" | "failed";
  /** Why the server could not continue. */
  readonly error?: unknown;
}

interface Observers {
  /** Called for answers that are given before Fastify knows of a request. */
  observe(answered: Answered): void;
  /** Called for connections that end without a request, with the reason. */
  refused(reason: "silent" | "slow" | "malformed" | "headers_too_large" | "broken", answered?: Answered): void;
  broken(answer: BrokenAnswer): void;
}

/**
 * One log line and one measurement for each answer, by operation; paths and queries are not logged, since they can hold secrets. A broken
 * answer is counted and logged apart.
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
  const refusals = new Counter({
    name: "gatehouse_http_refused_connections_total",
    help: "Connections that ended without a request that could be read: silent, slow, malformed, headers_too_large, or broken below HTTP.",
    labelNames: ["reason"],
    registers: [metrics],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { operationId } = request.routeOptions.config;
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const traceId = traceIdOf(request.headers.traceparent);
    const { id: requestId, method } = request;
    observe({ requestId, traceId, method, operationId, status: reply.statusCode, durationMs });
    done();
  });
  const breaks = new Counter({
    name: "gatehouse_http_broken_answers_total",
    help: "Answers that were begun and ended before they were whole, by operation and reason: left, stalled or failed.",
    labelNames: ["operation", "reason"],
    registers: [metrics],
  });
  return {
    observe,
    refused(reason, answered) {
      refusals.inc({ reason });
      if (answered === undefined)
        rarely.info(`connection ${reason}`, "A connection ended without a request.", { reason });
      else observe(answered);
    },
    broken({ operationId = "unrouted", reason, ...more }) {
      breaks.inc({ operation: operationId, reason });
      const fields = { operationId, reason, ...more };
      if (reason === "failed") log.error("An answer broke off.", fields);
      else rarely.info(`answer ${reason}`, "A client did not read an answer to its end.", fields);
    },
  };
}
