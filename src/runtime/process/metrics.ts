import { collectDefaultMetrics, Registry } from "prom-client";

/** One registry per process; parts register their own metrics on it, in base units and without unbounded labels. */
export type Metrics = Registry;

/** By itself prom-client ticks every 10 ms, which is most of what an idle process costs. */
const EVENT_LOOP_TICK_MS = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: "gatehouse_",
    eventLoopMonitoringPrecision: EVENT_LOOP_TICK_MS,
  });
  return registry;
}

export { Counter, Gauge, Histogram } from "prom-client";
