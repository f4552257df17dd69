import { Gauge, type Metrics } from "#runtime/basis/metrics.ts";
import type { Store } from "#runtime/database/database.ts";
import type { OutboxTables } from "#runtime/outbox/outbox.ts";

/** How far the relay is behind. */
export function measureOutbox(metrics: Metrics, store: Store, now: () => Date): void {
  const db = store.view<OutboxTables>();
  new Gauge({
    name: "gatehouse_outbox_oldest_pending_seconds",
    help: "Age of the oldest event that is not relayed yet; 0 when all are.",
    registers: [metrics],
    async collect() {
      const oldest = await db
        .selectFrom("outbox_entries")
        .select("occurred_at")
        .where("relayed_at", "is", null)
        .orderBy("sequence")
        .limit(1)
        .executeTakeFirst();
      this.set(oldest === undefined ? 0 : Math.max(0, (now().getTime() - oldest.occurred_at) / 1000));
    },
  });
}
