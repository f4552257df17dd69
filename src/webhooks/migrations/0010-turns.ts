import type { Migration } from "#runtime/database/migrations.ts";

/** Turns by subscription: whose last attempts took long, and indexes that have the subscription. */
export const turns: Migration = {
  number: 10,
  name: "turns by subscription",
  statements: ({ integer }) => [
    // 1 for a subscription whose last attempts took long.
    `alter table webhooks_subscriptions add column slow ${integer} not null default 0`,
    "drop index webhooks_queue_ready",
    "create index webhooks_queue_turns on webhooks_queue (lane, subscription_id, due_at, sequence) where lane is not null",
    "drop index webhooks_queue_leases",
    `create index webhooks_queue_under_way on webhooks_queue (lease_until, endpoint_origin, subscription_id)
      where lease_until is not null`,
  ],
};
