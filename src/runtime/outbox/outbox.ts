import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { unavailable } from "../basis/errors.ts";
import type { EventId } from "../basis/ids.ts";
import { type AnyDatabase, type AnyTransaction, isLockTimeout, isSqlite, seenAs } from "../database/database.ts";
import { preparedWrite, type ValueOf } from "../database/prepared.ts";
import { insertRows } from "../database/rows.ts";

/** The outbox's table, which all owners share: domains append, the relay takes (R-D3). */
export interface OutboxTables {
  outbox_entries: {
    readonly sequence: Generated<number>;
    readonly event_id: string;
    readonly event_type: string;
    readonly occurred_at: number;
    readonly entity_type: string;
    readonly entity_id: string;
    readonly instance_id: string;
    readonly tenant_id: string | null;
    /** JSON of the event's data, in wire words. */
    readonly data: string;
    readonly self_path: string;
    /** 1 for an internal entry, which only our own domains receive. */
    readonly internal: Generated<number>;
    /** Set by earlier programs, which kept what they had relayed. */
    readonly relayed_at: Generated<number | null>;
    /** The receiver up to which it is relayed, for an entry with more receivers than one transaction takes. */
    readonly relayed_to: Generated<string | null>;
  };
}

/** The placeholder that the relay replaces by the receiver's own id (spec §6 rule 4). */
export const INSTANCE_INTEGRATION_PLACEHOLDER = "{instanceIntegrationId}";

/** An event written in the transaction of the change it reports. It knows envelopes only, no type. */
export interface OutboxEntry {
  readonly eventId: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly entity: { readonly type: string; readonly id: string };
  readonly instanceId: string;
  /** The tenant that it concerns; for `client.created` the new tenant. */
  readonly tenantId: string | null;
  /** The snapshot, without `links`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Path of the resource; holds the placeholder `{instanceIntegrationId}`. */
  readonly selfPath: string;
  /**
   * True for an internal entry: our own domains receive it and no subscription does. It is relayed in the same order as
   * events (R-E14).
   */
  readonly internal?: true;
}

/** An entry as the relay takes it. */
export interface TakenEntry extends OutboxEntry {
  /** Its number in the store; an order that does not depend on clocks. */
  readonly sequence: number;
  /** The receiver up to which it is relayed already; `undefined` when nothing of it is. */
  readonly relayedTo?: string;
}

/** Channel of `wake` on which new entries are announced. */
export const OUTBOX_CHANNEL = "outbox";

/** How long `endOfOutbox` waits for writers, and so how long it may block other writers. */
const END_WAIT = "2s";

/** Rows that one statement inserts: its text has a megabyte or so. */
const ROWS_PER_INSERT = 500;

/** Appends entries in their order. */
export async function appendToOutbox(tx: AnyTransaction, ...entries: readonly OutboxEntry[]): Promise<void> {
  const db = seenAs<OutboxTables>(tx);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) {
    await insertEntry(db, toRow(only));
    return;
  }
  for (let from = 0; from < entries.length; from += ROWS_PER_INSERT)
    await insertRows<OutboxTables, "outbox_entries">(
      db,
      "outbox_entries",
      entries.slice(from, from + ROWS_PER_INSERT).map(toRow),
    );
}

/** Prepared, since most changes emit one event. */
const insertEntry = preparedWrite((value: ValueOf<ReturnType<typeof toRow>>, db: Kysely<OutboxTables>) =>
  db.insertInto("outbox_entries").values({
    event_id: value("event_id"),
    event_type: value("event_type"),
    occurred_at: value("occurred_at"),
    entity_type: value("entity_type"),
    entity_id: value("entity_id"),
    instance_id: value("instance_id"),
    tenant_id: value("tenant_id"),
    data: value("data"),
    self_path: value("self_path"),
    internal: value("internal"),
  }),
);

const toRow = (entry: OutboxEntry) => ({
  event_id: entry.eventId,
  event_type: entry.eventType,
  occurred_at: entry.occurredAt.getTime(),
  entity_type: entry.entity.type,
  entity_id: entry.entity.id,
  instance_id: entry.instanceId,
  tenant_id: entry.tenantId,
  data: JSON.stringify(entry.data),
  self_path: entry.selfPath,
  internal: entry.internal === true ? 1 : 0,
});

/**
 * Takes at most `limit` entries, oldest first, out of the outbox: they leave it with the transaction that made something
 * of them. Claims by state, never by "sequence greater than last": on PostgreSQL a lower number can commit later. Fewer
 * when another relay has an internal entry under way: what follows it waits until that has taken effect.
 */
export async function takeFromOutbox(tx: AnyTransaction, limit: number): Promise<readonly TakenEntry[]> {
  const db = seenAs<OutboxTables>(tx);
  const first = sql`select sequence from outbox_entries where relayed_at is null order by sequence limit ${limit} + 0`;
  const { rows } = await (isSqlite(db)
    ? sql<OutboxRow>`delete from outbox_entries where sequence in (${first}) returning *`
    : // An array is read once and looked up by key, where PostgreSQL may choose to read a whole table for a subquery.
      sql<OutboxRow>`
        with first as materialized (${first} for update skip locked)
        delete from outbox_entries where sequence = any (array(
          select sequence from first where sequence < coalesce(${INTERNAL_ELSEWHERE}, ${Number.MAX_SAFE_INTEGER})
        )) returning *`
  ).execute(db);
  return rows.map(toTaken).sort((one, other) => one.sequence - other.sequence);
}

type OutboxRow = Selectable<OutboxTables["outbox_entries"]>;

/** The first internal entry before the last of `first` that another relay has taken: until its commit it is seen here. */
const INTERNAL_ELSEWHERE = sql`(
  select sequence from outbox_entries where relayed_at is null and internal = 1
    and sequence < (select max(sequence) from first) and sequence <> all (array(select sequence from first))
  order by sequence limit 1
)`;

const toTaken = (row: OutboxRow): TakenEntry => ({
  sequence: row.sequence,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  occurredAt: new Date(row.occurred_at),
  entity: { type: row.entity_type, id: row.entity_id },
  instanceId: row.instance_id,
  tenantId: row.tenant_id,
  data: JSON.parse(row.data) as Record<string, unknown>,
  selfPath: row.self_path,
  ...(row.internal === 1 && { internal: true }),
  ...(row.relayed_to !== null && { relayedTo: row.relayed_to }),
});

/** How far `findWaiting` looks: more is a backlog, which is relayed before anybody could read the answer. */
const LOOKED_AT_MAX = 1_000;

/** The event among the oldest that wait to be relayed; `undefined` when it is not there, or behind a thousand others. */
export async function findWaiting(db: AnyDatabase, eventId: string): Promise<TakenEntry | undefined> {
  const outbox = db as Kysely<OutboxTables>;
  const { rows } = await sql<OutboxRow>`
    select * from (
      select * from outbox_entries where relayed_at is null order by sequence limit ${LOOKED_AT_MAX} + 0
    ) as oldest where event_id = ${eventId}`.execute(outbox);
  return rows[0] && toTaken(rows[0]);
}

/** Puts back, in the transaction that took them, entries of which something remains to be relayed; each in its place. */
export async function putBackIntoOutbox(tx: AnyTransaction, entries: readonly TakenEntry[]): Promise<void> {
  const db = seenAs<OutboxTables>(tx);
  for (const entry of entries) {
    const row = { ...toRow(entry), sequence: entry.sequence, relayed_to: entry.relayedTo ?? null };
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    const own = isSqlite(db) ? sql`` : sql`overriding system value`;
    await sql`insert into outbox_entries (${columns}) ${own} values (${sql.join(Object.values(row))})`.execute(db);
  }
}

/** How long `lockOutbox` waits for writers; its caller asks again. */
const LOCK_WAIT = "250ms";

/**
 * Waits for the relays and writers under way and blocks new ones until the transaction ends, so that each entry is one
 * row that stays: a relay takes a row out, and what remains of it is another row. Nothing to do on SQLite, which has one
 * writer.
 * @throws the error of `isLockTimeout` when they take longer than a quarter of a second.
 */
export async function lockOutbox(tx: AnyTransaction): Promise<void> {
  const db = seenAs<OutboxTables>(tx);
  if (!isSqlite(db)) await lockIn(db, "share row exclusive", LOCK_WAIT);
}

/** Statements after it wait for locks as long as those before. */
async function lockIn(db: Kysely<OutboxTables>, mode: string, wait: string): Promise<void> {
  const { rows } = await sql<{ readonly before: string }>`
    with own as materialized (select current_setting('lock_timeout') as before)
    select before, set_config('lock_timeout', ${wait}, true) from own`.execute(db);
  await sql`lock table outbox_entries in ${sql.raw(mode)} mode`.execute(db);
  await sql`select set_config('lock_timeout', ${rows[0]?.before}, true)`.execute(db);
}

/**
 * The sequence of the last entry; 0 when there is none. Until the transaction ends, every committed entry has that
 * sequence or a lower one, and every later entry a higher one. On PostgreSQL, where a lower number can commit later, it
 * therefore waits for the writers under way and blocks new ones. Call it before its transaction writes anything, and only
 * in rare operations.
 * @throws UNAVAILABLE when a writer takes longer than two seconds.
 */
export async function endOfOutbox(tx: AnyTransaction): Promise<number> {
  const db = seenAs<OutboxTables>(tx);
  if (!isSqlite(db)) {
    await lockIn(db, "share", END_WAIT).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      throw unavailable("The store is busy.", { cause: error, detail: "the outbox is being written to" });
    });
  }
  // Entries leave the table, their numbers are not given again.
  const { rows } = await (isSqlite(db)
    ? sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = 'outbox_entries'`
    : sql<{ last: number | null }>`
        select pg_sequence_last_value(pg_get_serial_sequence('outbox_entries', 'sequence')::regclass) as last`
  ).execute(db);
  return rows[0]?.last ?? 0;
}
