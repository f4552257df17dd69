import { collectDefaultMetrics, Registry } from "prom-client";

/** One registry per process; parts register their own metrics on it, in base units and without unbounded labels. */
export type Metrics = Registry;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "gatehouse_" });
  return registry;
}

export { Counter, Gauge, Histogram } from "prom-client";
