import type { Migration } from "#runtime/database/migrations.ts";

export const handOver: Migration = {
  number: 3,
  name: "deliveries that a retry engine outside the store drives",
  statements: ({ instant }) => [
    "alter table webhooks_deliveries add column tenant_id text",
    `alter table webhooks_deliveries add column retry_at ${instant}
      check (retry_at is null or (state = 'pending' and due_at is null and lease_until is null))`,
    `alter table webhooks_deliveries add column hand_over_at ${instant} check (hand_over_at is null or retry_at is not null)`,
    "create index webhooks_deliveries_hand_overs on webhooks_deliveries (hand_over_at) where hand_over_at is not null",
    "create index webhooks_deliveries_driven on webhooks_deliveries (sequence) where retry_at is not null",
  ],
};
