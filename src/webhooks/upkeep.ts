import { DAY_MS } from "#runtime/basis/durations.ts";
import type { TableUpkeep } from "#runtime/database/sweeping.ts";

const FORMER = "of a program from before migration 0006; moved while this one runs";

/** What becomes of the rows of each of webhooks' tables. */
export function webhooksUpkeep(settings: {
  readonly "webhook-body-days": number;
  readonly "webhook-delivery-days": number;
}): readonly TableUpkeep[] {
  const deliveryDays = settings["webhook-delivery-days"];
  const bodyDays = Math.min(settings["webhook-body-days"], deliveryDays);
  return [
    {
      table: "webhooks_subscriptions",
      bounded: "made by operators, and by integrations up to a number; deleted ones go with their deliveries",
    },
    {
      table: "webhooks_signing_secrets",
      bounded: "at most three of a kind for each subscription; expired ones are removed",
    },
    {
      table: "webhooks_failing_runs",
      bounded: "at most one for each subscription; leaves when it recovers, is disabled or deleted",
    },
    { table: "webhooks_connections", bounded: "one for each instance integration" },
    { table: "webhooks_queue", bounded: "what is owed; leaves when it is settled" },
    { table: "webhooks_settled", along: "sequence", age: "created_at", keepMs: deliveryDays * DAY_MS },
    { table: "webhooks_delivery_bodies", along: "sequence", age: "created_at", keepMs: bodyDays * DAY_MS },
    { table: "webhooks_events", along: "sequence", age: "relayed_at", keepMs: deliveryDays * DAY_MS },
    { table: "webhooks_feed", bounded: "one row" },
    { table: "webhooks_recoveries", age: "ended_at", keepMs: deliveryDays * DAY_MS },
    {
      table: "webhooks_recovery_deliveries",
      bounded: "what recoveries have under way; leaves when its end is counted",
    },
    { table: "webhooks_deliveries", bounded: FORMER },
    { table: "webhooks_bodies", bounded: FORMER },
    { table: "webhooks_attempts", bounded: FORMER },
  ];
}
