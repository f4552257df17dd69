import { Counter, Gauge, Histogram, type Metrics } from "#runtime/process/metrics.ts";
import type { Ending } from "../deliveries/delivery.ts";
import { FAILED_OUTCOMES } from "../deliveries/outcome.ts";
import type { LinesRepository } from "./lines-repository.ts";

export interface DeliveryMetrics {
  /** Counts attempts that were recorded as ended at `at`. */
  ended(attempts: readonly Ending[], at: Date): void;
  /** Counts a subscription whose deliveries wait, since its signing secret or its headers cannot be opened. */
  unopened(): void;
}

/** What the services role measures of deliveries. Labels are closed sets; subscriptions are in no label. */
export function deliveryMetrics(
  metrics: Metrics,
  lines: Pick<LinesRepository, "findOldestDue">,
  now: () => Date,
): DeliveryMetrics {
  const counted = new Counter({
    name: "gatehouse_webhook_attempts_total",
    help: "Attempts by how they ended; lost ones count as spent.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  const exhausted = new Counter({
    name: "gatehouse_webhook_deliveries_exhausted_total",
    help: "Deliveries without an attempt left, by how the last one ended.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  // An alert looks for an increase, and the first may all come between two scrapes.
  for (const outcome of FAILED_OUTCOMES) exhausted.inc({ outcome }, 0);
  const unopened = new Counter({
    name: "gatehouse_webhook_secrets_unopened_total",
    help: "Times that deliveries were put off, since the secret or the headers of their subscription cannot be opened.",
    registers: [metrics],
  });
  const latency = new Histogram({
    name: "gatehouse_webhook_delivery_seconds",
    help: "From the event to its acknowledgement, by the number of the attempt that succeeded.",
    labelNames: ["attempt"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 14_400],
    registers: [metrics],
  });
  new Gauge({
    name: "gatehouse_webhook_delivery_overdue_seconds",
    help: "For how long the delivery that is due longest has been due; 0 when none is.",
    registers: [metrics],
    async collect() {
      const dueAt = await lines.findOldestDue();
      this.set(dueAt === undefined ? 0 : Math.max(0, (now().getTime() - dueAt.getTime()) / 1000));
    },
  });
  return {
    unopened: () => unopened.inc(),
    ended(attempts, at) {
      for (const { outcome, delivery, isExhausted } of attempts) {
        counted.inc({ outcome });
        if (isExhausted) exhausted.inc({ outcome });
        // A resend comes when somebody asks for it, which says nothing about how fast deliveries are.
        if (outcome === "acknowledged" && delivery.round === 1) {
          latency.observe(
            { attempt: String(delivery.attempts) },
            (at.getTime() - delivery.occurredAt.getTime()) / 1000,
          );
        }
      }
    },
  };
}
