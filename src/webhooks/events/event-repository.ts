import { type Selectable, sql } from "kysely";
import type { EventId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { rowsOf } from "#runtime/database/rows.ts";
import type { EventsTable, WebhooksTables } from "../tables.ts";

/** Rows that one call of `list` reads at most. */
const SCANNED_MAX = 2_000;

/** An event that the relay has taken out of the outbox, without its content. */
export interface KeptEvent {
  readonly sequence: number;
  readonly id: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly entityType: string;
  readonly entityId: string;
  readonly instanceId: string;
  readonly tenantId: string | null;
  /** Of an operational event: the instance integration whose subscription it is about. */
  readonly ownerId: string | null;
  /** How many were made of it so far. */
  readonly deliveries: number;
}

/** An event as one asker sees it. */
export interface SeenEvent extends KeptEvent {
  /** Of an integration that asks: its instance integration that reaches the event. Nothing when operators ask. */
  readonly instanceIntegrationId: string | null;
}

export interface EventFilter {
  /** Only these, at least one. */
  readonly eventTypes: readonly string[] | undefined;
  readonly tenantId: string | undefined;
  readonly entityId: string | undefined;
  /** Only what its subscriptions could have matched (R-X339). */
  readonly seenBy?: Seer;
  /** Only older ones than this sequence. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** An integration, on all of its instances or on one. */
interface Seer {
  readonly integrationId: string;
  readonly instanceIntegrationId: string | undefined;
}

export interface EventRepository {
  /** Stores the events with their counts; counts of an event that is relayed in several transactions are added up. */
  record(tx: Transaction<WebhooksTables>, events: readonly KeptEvent[], at: Date): Promise<void>;
  find(eventId: string): Promise<KeptEvent | undefined>;
  /** True for an event that is kept, and that subscriptions of the integration could have matched (R-X339). */
  isSeenBy(seer: Seer, eventId: string): Promise<boolean>;
  /** Newest first; scans a bounded part. `scannedTo` is the end of that part, or `undefined` when nothing is behind it. */
  list(filter: EventFilter): Promise<{ readonly events: readonly SeenEvent[]; readonly scannedTo: number | undefined }>;
}

export const eventRepository = (db: Database<WebhooksTables>): EventRepository => ({
  async record(tx, events, at) {
    const rows = events.map(({ occurredAt, ...event }) => ({ ...event, occurredAt: occurredAt.getTime() }));
    if (rows.length === 0) return;
    await sql`
      insert into webhooks_events (sequence, event_id, event_type, occurred_at, entity_type, entity_id, instance_id,
        tenant_id, owner_id, relayed_at, deliveries)
      select cast(given.value ->> 'sequence' as bigint), given.value ->> 'id', given.value ->> 'eventType',
        cast(given.value ->> 'occurredAt' as bigint), given.value ->> 'entityType', given.value ->> 'entityId',
        given.value ->> 'instanceId', given.value ->> 'tenantId', given.value ->> 'ownerId',
        cast(${at.getTime()} as bigint),
        cast(given.value ->> 'deliveries' as integer)
      from ${rowsOf(tx, rows)} where true
      on conflict (event_id) do update set deliveries = webhooks_events.deliveries + excluded.deliveries
        where webhooks_events.sequence = excluded.sequence`.execute(tx);
  },
  async find(eventId) {
    const row = await db.selectFrom("webhooks_events").selectAll().where("event_id", "=", eventId).executeTakeFirst();
    return row && toKept(row);
  },
  async isSeenBy(seer, eventId) {
    const { rows } = await sql`
      with ${reachedBy(seer)} select 1 from webhooks_events as found
      where event_id = ${eventId} and exists (select 1 from reached where ${isReached("found")})`.execute(db);
    return rows.length > 0;
  },
  async list({ eventTypes, tenantId, entityId, seenBy, before = Number.MAX_SAFE_INTEGER, limit }) {
    const given = [
      ...(eventTypes === undefined ? [] : [sql`event_type in (${sql.join(eventTypes)})`]),
      ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
      ...(entityId === undefined ? [] : [sql`entity_id = ${entityId}`]),
      ...(seenBy === undefined ? [] : [sql`exists (select 1 from reached where ${isReached("scanned")})`]),
      sql`1 = 1`,
    ];
    const { rows } = await sql<ScannedRow>`
      with ${seenBy === undefined ? sql`` : sql`${reachedBy(seenBy)},`} scanned as (
        select * from webhooks_events
        where sequence < ${before} and sequence > ${seenBy === undefined ? sql`0` : FIRST_REACHED}
        order by sequence desc limit ${SCANNED_MAX} + 0
      )
      select part.read, part.last, found.*, ${seenBy === undefined ? sql`null` : THROUGH} as instance_integration_id from (
        select count(*) as read, min(sequence) as last from scanned
      ) as part left join (
        select * from scanned where ${sql.join(given, sql` and `)} order by sequence desc limit ${limit + 1} + 0
      ) as found on 1 = 1 order by found.sequence desc`.execute(db);
    // One more than asked for: it shows whether there are others in the part that was scanned.
    const found = rows.flatMap((row) => (row.sequence === null ? [] : [toSeen(row)]));
    const events = found.slice(0, limit);
    const [{ read = 0, last = null } = {}] = rows;
    const isPartRead = found.length > limit;
    const isMore = Number(read) === SCANNED_MAX;
    return { events, scannedTo: isPartRead ? events.at(-1)?.sequence : isMore ? (last ?? undefined) : undefined };
  },
});

/**
 * What an integration may see of what its subscriptions can match: for each of its instance integrations that is
 * configured now, events of the instance from the oldest subscription on.
 */
const reachedBy = ({ integrationId, instanceIntegrationId }: Seer) => sql`
  reached as materialized (
    select instance_id, instance_integration_id, min(events_after) as events_after from webhooks_subscriptions as own
    where integration_id = ${integrationId} and deleted_at is null
    ${instanceIntegrationId === undefined ? sql`` : sql`and instance_integration_id = ${instanceIntegrationId}`}
    and not exists (
      select 1 from webhooks_connections as connection
      where connection.instance_integration_id = own.instance_integration_id and connection.state <> 'configured'
    )
    group by instance_id, instance_integration_id
  )`;

/** Nothing before can be matched; with no subscription, nothing at all. */
const FIRST_REACHED = sql`(select coalesce(min(events_after), ${Number.MAX_SAFE_INTEGER}) from reached)`;

const isReached = (event: "scanned" | "found") => sql`
  reached.instance_id = ${sql.ref(`${event}.instance_id`)} and reached.events_after < ${sql.ref(`${event}.sequence`)}
  and (${sql.ref(`${event}.owner_id`)} is null or ${sql.ref(`${event}.owner_id`)} = reached.instance_integration_id)`;

/** Of two on one instance, of which the older one is revoked and webhooks were not told so yet, the newer (R-X57). */
const THROUGH = sql`(
  select reached.instance_integration_id from reached where ${isReached("found")}
  order by reached.events_after desc limit 1
)`;

type SeenRow = Selectable<EventsTable> & { readonly instance_integration_id: string | null };

type ScannedRow = { readonly read: number; readonly last: number | null } & (SeenRow | { readonly sequence: null });

const toSeen = (row: SeenRow): SeenEvent => ({
  ...toKept(row),
  instanceIntegrationId: row.instance_integration_id,
});

const toKept = (row: Selectable<EventsTable>): KeptEvent => ({
  sequence: row.sequence,
  id: row.event_id as EventId,
  eventType: row.event_type,
  occurredAt: new Date(row.occurred_at),
  entityType: row.entity_type,
  entityId: row.entity_id,
  instanceId: row.instance_id,
  tenantId: row.tenant_id,
  ownerId: row.owner_id,
  deliveries: row.deliveries,
});
