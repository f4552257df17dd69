/** Columns that keep sequence numbers of rows that left the table, by table. */
export const NUMBERS_ELSEWHERE: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  outbox_entries: [
    ["webhooks_events", "sequence"],
    ["webhooks_subscriptions", "events_after"],
  ],
  webhooks_queue: [
    ["webhooks_settled", "sequence"],
    ["webhooks_deliveries", "sequence"],
  ],
};
