import type { Migration } from "#runtime/database/migrations.ts";

export const eventsAndFeed: Migration = {
  number: 9,
  name: "recent events, and the feed of a subscription",
  statements: ({ instant, integer, long, strict, onPostgres }) => [
    `create table webhooks_events (
      sequence ${long} primary key,
      event_id text not null unique,
      event_type text not null,
      occurred_at ${instant} not null,
      entity_type text not null,
      entity_id text not null,
      instance_id text not null,
      tenant_id text,
      relayed_at ${instant} not null,
      deliveries ${integer} not null
    ) ${strict}`,
    // The feed reads a subscription in the order of its deliveries: what is settled along webhooks_settled_by_subscription.
    "create index webhooks_queue_by_subscription on webhooks_queue (subscription_id, sequence)",
    `create table webhooks_feed (
      number ${integer} primary key check (number = 1),
      begins_after ${long} not null
    ) ${strict}`,
    // Where the bodies begin that are there still; behind what is settled when there are none. An empty store has no row.
    `insert into webhooks_feed (number, begins_after)
      select 1, begins_after from (select coalesce(
        (select min(first) - 1 from (
          select min(sequence) as first from webhooks_delivery_bodies union all select min(delivery) from webhooks_bodies
        ) as kept),
        (select max(sequence) from webhooks_settled)
      ) as begins_after) as beginning where begins_after is not null`,
    ...onPostgres(
      // A writer shows, for as long as its transaction runs, behind which number its own numbers begin. A trigger, since
      // an earlier program may write beside this one. Key of the lock: the sequence's oid and the number's low 32 bits.
      `create function webhooks_feed_hold() returns trigger language plpgsql as $$
      declare
        numbers constant regclass := pg_get_serial_sequence('webhooks_queue', 'sequence')::regclass;
      begin
        perform pg_advisory_xact_lock_shared(
          (numbers::oid::bigint << 32) | (coalesce(pg_sequence_last_value(numbers), 0) & 4294967295)
        );
        return null;
      end $$`,
      "create trigger webhooks_feed_hold before insert on webhooks_queue for each statement execute function webhooks_feed_hold()",
      "create trigger webhooks_feed_hold before insert on webhooks_deliveries for each statement execute function webhooks_feed_hold()",
      // The number up to which every delivery is committed, or never will be. The last number is read before the locks:
      // a writer that shows itself after that gets higher ones.
      `create function webhooks_feed_end() returns bigint language plpgsql volatile as $$
      declare
        numbers constant regclass := pg_get_serial_sequence('webhooks_queue', 'sequence')::regclass;
        given constant bigint := coalesce(pg_sequence_last_value(numbers), 0);
        held bigint;
      begin
        select min(given - ((given - objid::bigint) & 4294967295)) into held from pg_locks
        where locktype = 'advisory' and objsubid = 1 and classid = numbers::oid
          -- One that is ahead came after the last number was read.
          and ((given - objid::bigint) & 4294967295) < 2147483648
          and database = (select oid from pg_database where datname = current_database());
        return least(given, held);
      end $$`,
    ),
  ],
};
