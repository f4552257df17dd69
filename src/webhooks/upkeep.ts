import type { TableUpkeep } from "#runtime/database/sweeping.ts";

const KEPT = "one for each event and subscription; nothing removes it";

/** What becomes of the rows of each of webhooks' tables. */
export const webhooksUpkeep: readonly TableUpkeep[] = [
  { table: "webhooks_subscriptions", bounded: "made by operators" },
  { table: "webhooks_signing_secrets", bounded: "of the subscriptions" },
  { table: "webhooks_connections", bounded: "one for each instance integration" },
  { table: "webhooks_deliveries", grows: KEPT },
  { table: "webhooks_bodies", grows: KEPT },
  { table: "webhooks_attempts", grows: "up to three for each delivery; nothing removes them" },
];
