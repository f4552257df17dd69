import type { Migration } from "#runtime/database/migrations.ts";

export const failingRuns: Migration = {
  number: 11,
  name: "runs of failures, and operational events",
  statements: ({ instant, strict }) => [
    // A row for each subscription that fails at present; nearly always empty, since every outcome looks into it.
    `create table webhooks_failing_runs (
      subscription_id text primary key,
      since ${instant} not null,
      warned_at ${instant}
    ) ${strict}`,
    // Which subscriptions of an instance integration are to get delivery.exhausted. LIKE is in no index of SQLite.
    `create index webhooks_subscriptions_to_exhausted on webhooks_subscriptions (instance_integration_id)
      where replace(event_types, '"delivery.', '') <> event_types`,
    // Of an operational event: the instance integration whose subscription it is about.
    "alter table webhooks_events add column owner_id text",
    `alter table webhooks_signing_secrets add column expiry_announced_at ${instant}`,
  ],
};
