import type { TakenEntry } from "../../../src/runtime/outbox/outbox.ts";
import type { Log, LogFields } from "../../../src/runtime/process/log.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { operationalNotices } from "../../../src/webhooks/events/operational-notices.ts";
import { silentLog } from "../../support/silent-log.ts";
import { entryOf, userUpdated } from "../webhooks-kit.ts";

const ID = "subscription_5TkWq8ZrXn3LvB7McJ2Hd";

const taken = (eventType: string, data: TakenEntry["data"] = {}): TakenEntry => ({
  ...entryOf({ ...userUpdated(), eventType, entity: { type: "subscription", id: ID }, data }),
  sequence: 1,
});

describe("what operators see of operational events (R-X310)", () => {
  it("a count by type, and a line of the log for each that is about a subscription", async () => {
    const lines: [string, LogFields | undefined][] = [];
    const log: Log = { ...silentLog, warn: (sentence, fields) => lines.push([sentence, fields]) };
    const metrics = createMetrics();
    const show = operationalNotices(log, metrics);
    show([
      taken("user.updated"),
      taken("subscription.failing"),
      taken("subscription.disabled", { stateReason: "gone" }),
      taken("delivery.exhausted"),
      taken("delivery.exhausted"),
    ]);
    expect(lines).toEqual([
      ["Every delivery of a subscription has been exhausted for days; it will be disabled.", { detail: ID }],
      ["A subscription is disabled.", { detail: ID, reason: "gone" }],
    ]);
    const counted = await metrics.getSingleMetric("gatehouse_webhook_operational_events_total")?.get();
    expect(Object.fromEntries(counted?.values.map(({ labels, value }) => [labels.type, value]) ?? [])).toEqual({
      "subscription.failing": 1,
      "delivery.exhausted": 2,
      "subscription.disabled": 1,
      "subscription.enabled": 0,
      "secret.expiring": 0,
      "recovery.finished": 0,
    });
  });
});
