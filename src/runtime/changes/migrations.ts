import type { MigrationSet } from "../database/migrations.ts";

/** The tables that all domains write through `changes`: outbox, audit, remembered requests. */
export const runtimeMigrations: MigrationSet = {
  owner: "runtime",
  migrations: [
    {
      number: 1,
      name: "outbox, audit, remembered requests",
      statements: ({ sequence, instant, bytes, strict }) => [
        `create table outbox_entries (
          sequence ${sequence},
          event_id text not null unique,
          event_type text not null,
          occurred_at ${instant} not null,
          entity_type text not null,
          entity_id text not null,
          instance_id text not null,
          tenant_id text,
          data text not null,
          self_path text not null,
          relayed_at ${instant}
        ) ${strict}`,
        "create index outbox_entries_pending on outbox_entries (sequence) where relayed_at is null",
        "create index outbox_entries_relayed on outbox_entries (relayed_at) where relayed_at is not null",
        `create table audit_entries (
          sequence ${sequence},
          at ${instant} not null,
          actor text not null,
          action text not null,
          object text not null,
          request_id text not null,
          facts text not null
        ) ${strict}`,
        "create index audit_entries_object on audit_entries (object, sequence)",
        `create table change_requests (
          caller text not null,
          method text not null,
          request_id text not null,
          content_digest ${bytes} not null,
          answer ${bytes} not null,
          created_at ${instant} not null,
          primary key (caller, method, request_id)
        ) ${strict}`,
        "create index change_requests_age on change_requests (created_at)",
      ],
    },
    {
      number: 2,
      name: "internal outbox entries",
      statements: ({ integer }) => [
        `alter table outbox_entries add column internal ${integer} not null default 0 check (internal in (0, 1))`,
      ],
    },
    {
      number: 3,
      name: "a row to try writing with",
      statements: ({ integer, instant, strict }) => [
        `create table store_probes (
          number ${integer} primary key check (number = 1),
          written_at ${instant} not null
        ) ${strict}`,
      ],
    },
    {
      number: 4,
      name: "which store this is, and how often it was restored",
      statements: ({ integer, instant, bytes, strict }) => [
        `create table store_identities (
          number ${integer} primary key check (number = 1),
          store_id text not null,
          proof ${bytes} not null,
          epoch ${integer} not null check (epoch > 0),
          epoch_began_at ${instant} not null,
          backed_up_at ${instant}
        ) ${strict}`,
      ],
    },
    {
      number: 5,
      name: "how large each table was",
      statements: ({ instant, long, strict }) => [
        `create table store_sizes (
          table_name text not null,
          measured_at ${instant} not null,
          row_count ${long} not null,
          bytes ${long} not null,
          primary key (table_name, measured_at)
        ) ${strict}`,
      ],
    },
    {
      number: 6,
      name: "an outbox of what waits",
      statements: ({ sequence, instant, integer, strict, onSqlite, onPostgres }) => [
        // The relay removes what it has relayed, so the table is as small as its backlog and needs no index. SQLite can
        // only leave out a constraint in a new table; what was relayed before is left behind with the old one.
        ...onSqlite(
          `create table outbox_waiting (
            sequence ${sequence},
            event_id text not null,
            event_type text not null,
            occurred_at ${instant} not null,
            entity_type text not null,
            entity_id text not null,
            instance_id text not null,
            tenant_id text,
            data text not null,
            self_path text not null,
            relayed_at ${instant},
            internal ${integer} not null default 0 check (internal in (0, 1)),
            relayed_to text
          ) ${strict}`,
          `insert into outbox_waiting select outbox_entries.*, null from outbox_entries where relayed_at is null`,
          "delete from sqlite_sequence where name = 'outbox_waiting'",
          `insert into sqlite_sequence (name, seq)
            select 'outbox_waiting', seq from sqlite_sequence where name = 'outbox_entries'`,
          "drop table outbox_entries",
          "alter table outbox_waiting rename to outbox_entries",
        ),
        // An earlier program may still run beside this one and mark what it has relayed: its rows and the index by
        // which they are told apart stay until they are swept.
        ...onPostgres(
          "alter table outbox_entries add column relayed_to text",
          "alter table outbox_entries drop constraint outbox_entries_event_id_key",
          "alter table outbox_entries set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)",
        ),
      ],
    },
    {
      number: 7,
      name: "something large to try writing with",
      statements: ({ onPostgres }) =>
        // On a full disk the server still changes rows in pages that are there. Out of line, a value needs new ones.
        onPostgres(
          "alter table store_probes add column padding text",
          "alter table store_probes alter column padding set storage external",
        ),
    },
    {
      number: 8,
      name: "the time by which rows are removed",
      statements: ({ instant }) => [`alter table store_identities add column sweeps_as_of ${instant}`],
    },
    {
      number: 9,
      name: "the issuer that the store was served under",
      statements: () => ["alter table store_identities add column issuer text"],
    },
  ],
};
