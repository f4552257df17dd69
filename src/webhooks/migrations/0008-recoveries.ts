import type { Migration } from "#runtime/database/migrations.ts";

export const recoveries: Migration = {
  number: 8,
  name: "recoveries",
  statements: ({ sequence, instant, long, integer, strict }) => [
    `create table webhooks_recoveries (
      sequence ${sequence},
      id text not null,
      subscription_id text not null,
      subscription_label text not null,
      integration_id text not null,
      state text not null check (state in ('running', 'paused', 'finished', 'cancelled')),
      reason text,
      from_at ${instant} not null,
      to_at ${instant} not null,
      states text not null,
      event_types text not null,
      tenant_ids text not null,
      created_at ${instant} not null,
      ended_at ${instant},
      counted_to ${long} not null,
      is_counted ${integer} not null,
      sent_to ${long} not null,
      is_all_found ${integer} not null,
      matched ${long} not null,
      sent ${long} not null,
      acknowledged ${long} not null,
      failed ${long} not null,
      body_removed ${long} not null,
      failed_in_row ${integer} not null,
      driven_until ${instant} not null,
      check ((ended_at is null) = (state in ('running', 'paused')))
    ) ${strict}`,
    "create unique index webhooks_recoveries_by_id on webhooks_recoveries (id)",
    // One at a time for each subscription.
    "create unique index webhooks_recoveries_unfinished on webhooks_recoveries (subscription_id) where ended_at is null",
    "create index webhooks_recoveries_by_integration on webhooks_recoveries (integration_id, sequence)",
    "create index webhooks_recoveries_ended on webhooks_recoveries (ended_at) where ended_at is not null",
    // What a recovery has sent and not yet counted; a few rows for each.
    `create table webhooks_recovery_deliveries (
      delivery ${long} primary key,
      recovery ${long} not null,
      endpoint_origin text not null,
      round ${integer}
    ) ${strict}`,
    "create index webhooks_recovery_deliveries_by_recovery on webhooks_recovery_deliveries (recovery)",
    "create index webhooks_recovery_deliveries_by_origin on webhooks_recovery_deliveries (endpoint_origin)",
  ],
};
