/** Where the numbers of what has left the outbox and the queue are: by table, the columns that have them. */
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
