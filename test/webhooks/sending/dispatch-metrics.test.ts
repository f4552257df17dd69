import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { dispatchMetrics } from "../../../src/webhooks/sending/dispatch-metrics.ts";
import { webhooksSettings } from "../../../src/webhooks/settings.ts";

it("an attempt that took as long as a setting allows, and a moment to end, is below the last bound of its histogram", async () => {
  const metrics = createMetrics();
  const longestMs = 17_000;
  const { schema } = webhooksSettings["webhook-timeout-ms"];
  expect([longestMs, longestMs + 1].map((ms) => schema.safeParse(ms).success)).toEqual([true, false]);
  dispatchMetrics(metrics).ended({
    outcome: "timeout",
    durationMs: longestMs + 1_000,
    httpStatus: undefined,
    retryAfter: undefined,
    responseExcerpt: Buffer.alloc(0),
  });
  const lines = (await metrics.getSingleMetricAsString("gatehouse_webhook_attempt_seconds")).split("\n");
  expect(lines).toContain('gatehouse_webhook_attempt_seconds_bucket{le="20",outcome="timeout"} 1');
});
