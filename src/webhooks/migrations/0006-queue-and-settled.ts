import type { Migration } from "#runtime/database/migrations.ts";

/**
 * What waits, what is done and what was sent in tables of their own. Makes empty tables and takes no longer for a large
 * store; `former-repository.ts` moves the earlier rows into them, in batches, while the program runs.
 */
export const queueAndSettled: Migration = {
  number: 6,
  name: "a queue of what waits, and what is settled",
  statements: ({ sequence, instant, long, integer, bytes, strict, onSqlite, onPostgres }) => {
    const delivery = `
      id text not null,
      event_id text not null,
      event_type text not null,
      occurred_at ${instant} not null,
      subscription_id text not null,
      tenant_id text,
      endpoint_origin text not null,
      round ${integer} not null,
      attempts ${integer} not null,
      delays text not null,
      created_at ${instant} not null,
      fence ${integer} not null,
      made text not null`;
    return [
      `create table webhooks_queue (
        sequence ${sequence},${delivery},
        due_at ${instant},
        lane text,
        lease_until ${instant},
        claim text not null,
        started_at ${instant},
        endpoint_url text,
        retry_at ${instant},
        hand_over_at ${instant},
        reason text,
        unique (subscription_id, event_id),
        check (lane is null or due_at is not null),
        check (due_at is null or lease_until is null),
        check (lease_until is null or started_at is not null),
        check (retry_at is null or (due_at is null and lease_until is null)),
        check (hand_over_at is null or retry_at is not null)
      ) ${strict}`,
      "create unique index webhooks_queue_by_id on webhooks_queue (id)",
      // No two of the next three fit one query, so that no planner with old statistics can choose the wrong one.
      "create index webhooks_queue_waiting on webhooks_queue (due_at) where due_at is not null and lane is null",
      "create index webhooks_queue_ready on webhooks_queue (lane, due_at, sequence) where lane is not null",
      "create index webhooks_queue_leases on webhooks_queue (lease_until, endpoint_origin) where lease_until is not null",
      "create index webhooks_queue_hand_overs on webhooks_queue (hand_over_at) where hand_over_at is not null",
      "create index webhooks_queue_driven on webhooks_queue (sequence) where retry_at is not null",
      `create table webhooks_settled (
        sequence ${long} primary key,${delivery},
        state text not null check (state in ('delivered', 'exhausted', 'skipped', 'cancelled')),
        reason text,
        settled_at ${instant} not null
      ) ${strict}`,
      // One for each list. Ids of deliveries and events follow the time, so every one of them grows at few places.
      "create unique index webhooks_settled_by_id on webhooks_settled (id)",
      "create index webhooks_settled_by_event on webhooks_settled (event_id)",
      "create index webhooks_settled_by_state on webhooks_settled (state, sequence)",
      "create index webhooks_settled_by_subscription on webhooks_settled (subscription_id, state, sequence)",
      `create table webhooks_delivery_bodies (
        sequence ${long} primary key,
        created_at ${instant} not null,
        body ${bytes} not null
      ) ${strict}`,
      // The relay reads an instance's subscriptions, oldest first, a part at a time.
      "drop index webhooks_subscriptions_instance",
      "create index webhooks_subscriptions_by_instance on webhooks_subscriptions (instance_id, created_at, id)",
      // Numbers go on behind the earlier ones: they order lists, and cursors hold them.
      ...onSqlite(
        `insert into sqlite_sequence (name, seq)
          select 'webhooks_queue', seq from sqlite_sequence where name = 'webhooks_deliveries'`,
      ),
      // An earlier program may go on making deliveries in its table: both draw from one sequence.
      ...onPostgres(
        "lock table webhooks_deliveries in access exclusive mode",
        `select setval(pg_get_serial_sequence('webhooks_queue', 'sequence'), 1 + coalesce(pg_sequence_last_value(
          pg_get_serial_sequence('webhooks_deliveries', 'sequence')::regclass), 0), false)`,
        "alter table webhooks_deliveries alter column sequence drop identity",
        "alter table webhooks_deliveries alter column sequence set default nextval('webhooks_queue_sequence_seq')",
        // Rows come and go: without this, a table of a few rows would lie on pages of dead ones.
        "alter table webhooks_queue set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)",
      ),
    ];
  },
};
