import type { Dialect } from "../../../src/runtime/database/database.ts";
import type { OutboxTables } from "../../../src/runtime/outbox/outbox.ts";

/** Every entry that was committed to the outbox, also after the relay took it out. */
export interface EmittedTables extends OutboxTables {
  readonly emitted_entries: OutboxTables["outbox_entries"];
}

/** Statements after which a trigger keeps a copy of each entry, in the transaction that appends it. */
export const KEEP_EMITTED: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    "create table emitted_entries as select * from outbox_entries where false",
    `create trigger keep_emitted after insert on outbox_entries begin
      insert into emitted_entries select * from outbox_entries where sequence = new.sequence;
    end`,
  ],
  postgres: [
    "create table emitted_entries as table outbox_entries with no data",
    `create function keep_emitted() returns trigger language plpgsql as $$
      begin insert into emitted_entries select new.*; return new; end $$`,
    `create trigger keep_emitted after insert on outbox_entries for each row execute function keep_emitted()`,
  ],
};
