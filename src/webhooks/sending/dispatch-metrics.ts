import { Gauge, Histogram, type Metrics } from "#runtime/process/metrics.ts";
import type { AttemptResult } from "./attempt-sender.ts";

export interface DispatchMetrics {
  ended(result: AttemptResult): void;
  underWay(count: number): void;
}

/** What the worker measures of the attempts that it sends. */
export function dispatchMetrics(metrics: Metrics): DispatchMetrics {
  const duration = new Histogram({
    name: "gatehouse_webhook_attempt_seconds",
    help: "From looking up the name to the last byte of the answer, by how the attempt ended.",
    labelNames: ["outcome"],
    // A timeout ends a moment after its 15 seconds, or after the 17 at most that a setting can make of them.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20],
    registers: [metrics],
  });
  const underWay = new Gauge({
    name: "gatehouse_webhook_attempts_under_way",
    help: "Attempts that this worker is sending.",
    registers: [metrics],
  });
  return {
    ended({ outcome, durationMs }) {
      if (outcome !== "not_sent") duration.observe({ outcome }, durationMs / 1000);
    },
    underWay: (count) => underWay.set(count),
  };
}
