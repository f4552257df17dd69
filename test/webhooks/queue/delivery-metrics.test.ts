import { createMetrics } from "#runtime/process/metrics.ts";
import { FAILED_OUTCOMES } from "../../../src/webhooks/deliveries/outcome.ts";
import { deliveryMetrics } from "../../../src/webhooks/queue/delivery-metrics.ts";

describe("what the services role measures of deliveries", () => {
  it("begins at 0 for each way in which a delivery is exhausted, so that an alert sees the first ones", async () => {
    const metrics = createMetrics();
    deliveryMetrics(metrics, { findOldestDue: async () => undefined }, () => new Date(0));
    const exhausted = await metrics.getSingleMetric("gatehouse_webhook_deliveries_exhausted_total")?.get();
    expect(exhausted?.values).toEqual(FAILED_OUTCOMES.map((outcome) => ({ labels: { outcome }, value: 0 })));
  });
});
