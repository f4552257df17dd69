import type { Migration } from "#runtime/database/migrations.ts";

export const firstTables: Migration = {
  number: 1,
  name: "subscriptions, signing secrets, deliveries, bodies, attempts",
  statements: ({ sequence, instant, integer, bytes, strict }) => {
    // A delivery's sequence is a whole number of 64 bits, as instants are.
    const delivery = instant;
    return [
      `create table webhooks_subscriptions (
        id text primary key,
        label text not null unique,
        instance_integration_id text not null,
        instance_id text not null,
        integration_id text not null,
        endpoint_url text not null,
        event_types text not null,
        tenant_ids text not null,
        state text not null check (state in ('active', 'paused', 'disabled')),
        state_reason text,
        created_at ${instant} not null
      ) ${strict}`,
      "create index webhooks_subscriptions_instance on webhooks_subscriptions (instance_id)",
      `create table webhooks_signing_secrets (
        subscription_id text not null references webhooks_subscriptions (id),
        number ${integer} not null,
        sealed ${bytes} not null,
        created_at ${instant} not null,
        expires_at ${instant},
        primary key (subscription_id, number)
      ) ${strict}`,
      `create table webhooks_deliveries (
        sequence ${sequence},
        id text not null unique,
        event_id text not null,
        event_type text not null,
        occurred_at ${instant} not null,
        subscription_id text not null,
        endpoint_origin text not null,
        state text not null check (state in ('pending', 'delivered', 'exhausted', 'skipped', 'cancelled')),
        reason text,
        round ${integer} not null,
        attempts ${integer} not null,
        delays text not null,
        created_at ${instant} not null,
        due_at ${instant},
        lane text,
        lease_until ${instant},
        fence ${integer} not null,
        unique (event_id, subscription_id),
        check (lane is null or due_at is not null),
        check (due_at is null or lease_until is null),
        check (state = 'pending' or (due_at is null and lease_until is null))
      ) ${strict}`,
      // What waits, is ready or is under way stays small however many deliveries are settled, and claiming reads these only. No two of
      // them fit one query, so that no planner with old statistics can choose the wrong one.
      "create index webhooks_deliveries_waiting on webhooks_deliveries (due_at) where due_at is not null and lane is null",
      "create index webhooks_deliveries_ready on webhooks_deliveries (lane, due_at, sequence) where lane is not null",
      "create index webhooks_deliveries_leases on webhooks_deliveries (lease_until, endpoint_origin) where lease_until is not null",
      "create index webhooks_deliveries_by_state on webhooks_deliveries (state, sequence)",
      "create index webhooks_deliveries_by_subscription on webhooks_deliveries (subscription_id, state, sequence)",
      `create table webhooks_bodies (
        delivery ${delivery} primary key references webhooks_deliveries (sequence),
        body ${bytes} not null
      ) ${strict}`,
      `create table webhooks_attempts (
        delivery ${delivery} not null references webhooks_deliveries (sequence),
        round ${integer} not null,
        number ${integer} not null check (number between 1 and 3),
        endpoint_url text not null,
        started_at ${instant} not null,
        finished_at ${instant},
        outcome text not null,
        http_status ${integer},
        duration_ms ${integer},
        retry_after text,
        response_excerpt ${bytes},
        primary key (delivery, round, number)
      ) ${strict}`,
    ];
  },
};
