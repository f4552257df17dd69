import type { FastifyInstance } from "fastify";
import type { Log } from "../basis/log.ts";
import { Histogram, type Metrics } from "../basis/metrics.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** One log line and one measurement for each answer, by operation; paths and queries are not logged, since they can hold secrets. */
export function observeRequests(
  app: FastifyInstance,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): void {
  const duration = new Histogram({
    name: "gatehouse_http_request_duration_seconds",
    help: "Time to answer a request, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  app.addHook("onResponse", async (request, reply) => {
    const { operationId } = request.routeOptions.config;
    duration.observe({ operation: operationId ?? "unrouted", status: reply.statusCode }, reply.elapsedTime / 1000);
    log.info("Answered.", {
      requestId: request.id,
      method: request.method,
      operationId,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    });
  });
}
