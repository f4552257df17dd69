import { Counter, Gauge, Histogram, type Metrics } from "#runtime/basis/metrics.ts";
import type { HashingObserver } from "./hashing-queue.ts";

/** Metrics of the hashing queue: its current length, the waiting times, and how many requests were rejected. */
export function hashingMetrics(metrics: Metrics, depth: () => number): HashingObserver {
  const registers = [metrics];
  new Gauge({
    name: "gatehouse_password_hash_queue_depth",
    help: "Passwords that wait to be hashed.",
    registers,
    collect() {
      this.set(depth());
    },
  });
  const waits = new Histogram({
    name: "gatehouse_password_hash_wait_seconds",
    help: "How long passwords waited until they were hashed.",
    buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const turnedAway = new Counter({
    name: "gatehouse_password_hash_turned_away_total",
    help: "Passwords that were not hashed because too many were waiting.",
    registers,
  });
  return {
    waited: (ms) => waits.observe(ms / 1_000),
    turnedAway: () => turnedAway.inc(),
  };
}
