import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";

const BEFORE = {
  ...webhooksMigrations,
  migrations: webhooksMigrations.migrations.filter(({ number }) => number < 13),
};
const SINCE = 1_000;

eachStore((_, open) => {
  it("a run that began before runs were counted has the exhausted deliveries of then (R-X312)", async () => {
    const { store } = await open([BEFORE]);
    const tables = store.view<WebhooksTables>();
    const settled = (
      sequence: number,
      state: string,
      reason: string,
      settledAt: number,
      eventType = "user.updated",
    ) => ({
      sequence,
      id: `delivery_${sequence}`,
      event_id: `event_${sequence}`,
      event_type: eventType,
      occurred_at: 0,
      subscription_id: "subscription_1",
      tenant_id: null,
      endpoint_origin: "https://hooks.example",
      round: 1,
      attempts: 3,
      delays: "[]",
      created_at: 0,
      fence: 1,
      made: "[]",
      state,
      reason,
      settled_at: settledAt,
    });
    await tables
      .insertInto("webhooks_failing_runs")
      .values({ subscription_id: "subscription_1", since: SINCE, warned_at: null })
      .execute();
    await tables
      .insertInto("webhooks_settled")
      .values([
        settled(1, "exhausted", "refused", SINCE - 1),
        settled(2, "exhausted", "refused", SINCE),
        settled(3, "exhausted", "lost", SINCE + 1),
        settled(4, "exhausted", "timeout", SINCE + 2),
        settled(5, "exhausted", "refused", SINCE + 3, "webhook.ping"),
        settled(6, "skipped", "subscription_paused", SINCE + 4),
      ])
      .execute();
    await migrate(store, [runtimeMigrations, webhooksMigrations], new Date(0));
    const runs = await tables.selectFrom("webhooks_failing_runs").selectAll().execute();
    expect(runs).toEqual([{ subscription_id: "subscription_1", since: SINCE, warned_at: null, exhausted: 2 }]);
  });
});
