import { sql } from "kysely";
import type { DeliveryId, EventId, SubscriptionId } from "#runtime/basis/ids.ts";
import { batchOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { DeliveriesTable, WebhooksTables } from "../tables.ts";
import type { Delivery, DeliveryState } from "./delivery.ts";

/** Where a delivery goes after an attempt ended, or before one began. */
export interface Placement {
  readonly sequence: number;
  /** Of the claim that this ends; when the delivery has a higher one by now, nothing happens. */
  readonly fence: number;
  readonly state: DeliveryState;
  readonly reason?: string | undefined;
  readonly dueAt?: Date | undefined;
  /** True when the attempt that the claim stood for was never made. */
  readonly withdrawn?: boolean;
}

/** What is due next, and what is under way longest. */
export interface QueueTimes {
  readonly dueAt: Date | undefined;
  readonly leaseUntil: Date | undefined;
}

/** The deliveries as a queue. Each endpoint's origin has a lane of its own, so that a slow one holds up nobody else. */
export interface QueueRepository {
  /** Without a lock; tells whether a claim is worth its transaction. */
  times(): Promise<QueueTimes>;
  /** Deliveries whose lease has passed at `now`, longest ago first, locked; those that another claim handles are passed over. */
  listExpired(tx: Transaction<WebhooksTables>, now: Date, limit: number): Promise<readonly Delivery[]>;
  /** How many are under way per origin, over all workers. */
  countUnderWay(tx: Transaction<WebhooksTables>): Promise<ReadonlyMap<string, number>>;
  /** Origins behind `after` in their order that have something due, but none of `full`. */
  listDueOrigins(
    tx: Transaction<WebhooksTables>,
    lane: { readonly after: string; readonly full: readonly string[]; readonly now: Date; readonly limit: number },
  ): Promise<readonly string[]>;
  /** Claims the longest due ones of an origin: lease, next fence, one attempt more. */
  claim(
    tx: Transaction<WebhooksTables>,
    origin: string,
    claim: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
  ): Promise<readonly Delivery[]>;
  /** Those of the deliveries that are under way, whatever their lease. */
  listUnderWay(tx: Transaction<WebhooksTables>, ids: readonly string[]): Promise<readonly Delivery[]>;
  /** Ends claims; returns the sequences of those that were current. */
  place(tx: Transaction<WebhooksTables>, placements: readonly Placement[]): Promise<ReadonlySet<number>>;
  /** By sequence. */
  findBodies(tx: Transaction<WebhooksTables>, sequences: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

export const queueRepository = (db: Database<WebhooksTables>): QueueRepository => ({
  async times() {
    const { rows } = await sql<{ readonly due_at: number | null; readonly lease_until: number | null }>`
      select (select min(due_at) from webhooks_deliveries where due_at is not null) as due_at,
        (select min(lease_until) from webhooks_deliveries where lease_until is not null) as lease_until`.execute(db);
    return { dueAt: toDate(rows[0]?.due_at), leaseUntil: toDate(rows[0]?.lease_until) };
  },
  async listExpired(tx, now, limit) {
    const { rows } = await sql<DeliveriesTable & Sequenced>`
      select * from webhooks_deliveries where lease_until is not null and lease_until <= ${now.getTime()}
      order by lease_until limit ${limit} + 0 ${passOverLocked(tx)}`.execute(tx);
    return rows.map(toDelivery);
  },
  async countUnderWay(tx) {
    const { rows } = await sql<{ readonly endpoint_origin: string; readonly held: number }>`
      select endpoint_origin, count(*) as held from webhooks_deliveries where lease_until is not null
      group by endpoint_origin`.execute(tx);
    return new Map(rows.map((row) => [row.endpoint_origin, Number(row.held)]));
  },
  async listDueOrigins(tx, { after, full, now, limit }) {
    const next = (than: ReturnType<typeof sql>) => sql`
      select endpoint_origin from webhooks_deliveries where due_at is not null and endpoint_origin > ${than}
      order by endpoint_origin limit 1`;
    // Steps from origin to origin along the index of what waits, instead of reading everything that waits.
    const { rows } = await sql<{ readonly origin: string }>`
      with recursive lane (origin) as (
        select (${next(sql`${after}`)}) as origin
        union all
        select (${next(sql`lane.origin`)}) from lane where lane.origin is not null
      )
      select origin from lane where origin is not null
        and exists (select 1 from webhooks_deliveries where due_at is not null and endpoint_origin = origin and due_at <= ${now.getTime()})
        and origin not in (select batch.value ->> 'origin' from ${batchOf(
          tx,
          full.map((origin) => ({ origin })),
        )})
      limit ${limit} + 0`.execute(tx);
    return rows.map(({ origin }) => origin);
  },
  async claim(tx, origin, { now, leaseUntil, limit }) {
    // The cast keeps SQLite from preparing the statement anew for each value that is bound.
    const picked = sql`
      select sequence from webhooks_deliveries
      where due_at is not null and endpoint_origin = cast(${origin} as text) and due_at <= ${now.getTime()}
      order by due_at, sequence limit ${limit} + 0 ${passOverLocked(tx)}`;
    // An array is read once and looked up by key; given as a subquery, PostgreSQL may choose to read the whole table instead.
    const among = isSqlite(tx) ? sql`in (${picked})` : sql`= any (array(${picked}))`;
    const { rows } = await sql<DeliveriesTable & Sequenced>`
      update webhooks_deliveries
      set due_at = null, lease_until = ${leaseUntil.getTime()}, fence = fence + 1, attempts = attempts + 1
      where sequence ${among} returning *`.execute(tx);
    return rows.map(toDelivery);
  },
  async listUnderWay(tx, ids) {
    const { rows } = await sql<DeliveriesTable & Sequenced>`
      select webhooks_deliveries.* from ${batchOf(
        tx,
        ids.map((id) => ({ id })),
      )}
      join webhooks_deliveries on id = batch.value ->> 'id' where lease_until is not null`.execute(tx);
    return rows.map(toDelivery);
  },
  async place(tx, placements) {
    if (placements.length === 0) return new Set();
    const rows = placements.map(({ dueAt, withdrawn, ...placement }) => ({
      ...placement,
      dueAt: dueAt?.getTime(),
      attempts: withdrawn === true ? -1 : 0,
    }));
    const placed = await sql<Sequenced>`
      update webhooks_deliveries set state = batch.value ->> 'state', reason = batch.value ->> 'reason',
        due_at = cast(batch.value ->> 'dueAt' as bigint), lease_until = null,
        attempts = attempts + cast(batch.value ->> 'attempts' as integer)
      from ${batchOf(tx, rows)}
      where sequence = cast(batch.value ->> 'sequence' as bigint) and fence = cast(batch.value ->> 'fence' as integer)
        and lease_until is not null
      returning sequence`.execute(tx);
    return new Set(placed.rows.map(({ sequence }) => sequence));
  },
  async findBodies(tx, sequences) {
    const { rows } = await sql<{ readonly delivery: number; readonly body: Buffer }>`
      select delivery, body from ${batchOf(
        tx,
        sequences.map((sequence) => ({ sequence })),
      )}
      join webhooks_bodies on delivery = cast(batch.value ->> 'sequence' as bigint)`.execute(tx);
    return new Map(rows.map(({ delivery, body }) => [delivery, body]));
  },
});

interface Sequenced {
  readonly sequence: number;
}

/** Two claims at once never wait for each other. On SQLite the writer's transaction is alone anyway. */
const passOverLocked = (tx: Transaction<WebhooksTables>) => (isSqlite(tx) ? sql`` : sql`for update skip locked`);

const toDate = (milliseconds: number | null | undefined): Date | undefined =>
  milliseconds === null || milliseconds === undefined ? undefined : new Date(milliseconds);

const toDelivery = (row: Omit<DeliveriesTable, "sequence"> & Sequenced): Delivery => ({
  sequence: row.sequence,
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  occurredAt: new Date(row.occurred_at),
  subscriptionId: row.subscription_id as SubscriptionId,
  round: row.round,
  attempts: row.attempts,
  delaysMs: JSON.parse(row.delays) as number[],
  fence: row.fence,
});
