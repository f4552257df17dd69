import type { FastifyInstance } from "fastify";
import type { Log } from "../basis/log.ts";
import { Histogram, type Metrics } from "../basis/metrics.ts";
import { traceIdOf } from "../basis/trace.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** One answer, as it is logged and measured. */
export interface Answered {
  readonly requestId: string;
  readonly traceId?: string | undefined;
  readonly method?: string;
  readonly operationId?: string | undefined;
  readonly status: number;
  readonly durationMs?: number;
}

/**
 * One log line and one measurement for each answer, by operation; paths and queries are not logged, since they can hold secrets. Returns
 * what does the same for answers that are given before Fastify knows of a request.
 */
export function observeRequests(
  app: FastifyInstance,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): (answered: Answered) => void {
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
    log.info("Answered.", answered);
  };
  app.addHook("onResponse", async (request, reply) => {
    const { operationId } = request.routeOptions.config;
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const traceId = traceIdOf(request.headers.traceparent);
    const { id: requestId, method } = request;
    observe({ requestId, traceId, method, operationId, status: reply.statusCode, durationMs });
  });
  return observe;
}
