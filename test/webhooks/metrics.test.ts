import { eachStore } from "../support/stores.ts";
import { ACKNOWLEDGED, openKit, userUpdated } from "./webhooks-kit.ts";

eachStore((_, open) => {
  it("counts attempts by outcome, and measures the time to acknowledgement and the backlog", async () => {
    const kit = await openKit(open, { flags: { "webhook-jitter": "0" } });
    const value = async (name: string, labels: Record<string, string> = {}) => {
      const metric = await kit.metrics.getSingleMetric(name)?.get();
      const matching = metric?.values.filter((one) =>
        Object.entries(labels).every(([key, label]) => one.labels[key] === label),
      );
      return matching?.map((one) => one.value)[0];
    };
    await kit.subscribe();
    await kit.emit(userUpdated(), userUpdated());
    kit.clock.step(7_000);
    expect(await value("gatehouse_outbox_oldest_pending_seconds")).toBe(7);
    await kit.relay();
    expect(await value("gatehouse_outbox_oldest_pending_seconds")).toBe(0);
    kit.clock.step(3_000);
    expect(await value("gatehouse_webhook_delivery_overdue_seconds")).toBe(3);
    const [first, second] = await kit.claim();
    if (first === undefined || second === undefined) throw new Error("Two were due.");
    expect(await value("gatehouse_webhook_delivery_overdue_seconds")).toBe(0);
    await kit.record(first, ACKNOWLEDGED);
    await kit.record(second);
    expect(await value("gatehouse_webhook_attempts_total", { outcome: "acknowledged" })).toBe(1);
    expect(await value("gatehouse_webhook_attempts_total", { outcome: "refused" })).toBe(1);
    const latency = await kit.metrics.getSingleMetricAsString("gatehouse_webhook_delivery_seconds");
    expect(latency).toContain('gatehouse_webhook_delivery_seconds_sum{attempt="1"} 10');
    // The other one waits for its second attempt, and is overdue a while after it came due.
    kit.clock.step(65_000);
    expect(await value("gatehouse_webhook_delivery_overdue_seconds")).toBe(5);
    await kit.claim();
    kit.clock.step(60_000);
    await kit.claim();
    expect(await value("gatehouse_webhook_attempts_total", { outcome: "lost" })).toBe(1);
  });
});
