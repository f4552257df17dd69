import { sql } from "kysely";
import type { DeliveryId, EventId, SubscriptionId } from "#runtime/basis/ids.ts";
import { batchOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { DeliveriesTable, WebhooksTables } from "../tables.ts";
import type { DeliveryState, NewDelivery } from "./delivery.ts";

const DELIVERY_STATES: readonly DeliveryState[] = ["pending", "delivered", "exhausted", "skipped", "cancelled"];

/** More rows in one statement save nothing and make a large parameter. */
const ROWS_PER_STATEMENT = 100;

/** A delivery as operators see it. */
export interface ListedDelivery {
  readonly sequence: number;
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly subscriptionId: SubscriptionId;
  readonly subscriptionLabel: string;
  readonly state: DeliveryState;
  readonly reason: string | undefined;
  readonly createdAt: Date;
  readonly dueAt: Date | undefined;
}

export interface DeliveryFilter {
  readonly subscriptionId: string | undefined;
  readonly deliveryId: string | undefined;
  readonly eventId: string | undefined;
  /** Empty: all. */
  readonly states: readonly DeliveryState[];
  /** Only older ones than this sequence. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface DeliveryRepository {
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly ListedDelivery[]>;
  /** With their bodies. One that exists already (same event and subscription) is left as it is. */
  create(tx: Transaction<WebhooksTables>, deliveries: readonly NewDelivery[]): Promise<void>;
}

export const deliveryRepository = (db: Database<WebhooksTables>): DeliveryRepository => ({
  async list({ before = Number.MAX_SAFE_INTEGER, limit, ...filter }) {
    const page = async (range: Range) => {
      const { rows } = await sql<ListedRow>`
        select delivery.*, label from (
          select * from webhooks_deliveries where ${range.below} order by ${range.order} limit ${limit} + 0
        ) as delivery join webhooks_subscriptions on webhooks_subscriptions.id = delivery.subscription_id
        where ${range.within}`.execute(db);
      return rows;
    };
    const pages = await Promise.all(rangesOf(filter, before).map(page));
    const newest = pages.flat().sort((one, other) => other.sequence - one.sequence);
    return newest.slice(0, limit).map(toListed);
  },
  async create(tx, deliveries) {
    for (let start = 0; start < deliveries.length; start += ROWS_PER_STATEMENT) {
      await insert(tx, deliveries.slice(start, start + ROWS_PER_STATEMENT));
    }
  },
});

/** A stretch of one index, read downwards. */
interface Range {
  readonly below: Sql;
  readonly order: Sql;
  /** What the stretch runs over into is cut off. */
  readonly within: Sql;
}

type Sql = ReturnType<typeof sql>;

/**
 * One range per state, merged by the caller: so each page costs the same however many deliveries there are of other
 * states or subscriptions. Compared as rows, since a planner may otherwise prefer to walk the table backwards and
 * filter.
 */
function rangesOf(
  { subscriptionId, deliveryId, eventId, states }: Omit<DeliveryFilter, "before" | "limit">,
  before: number,
): Range[] {
  if (deliveryId !== undefined || eventId !== undefined) {
    // Few rows, by their own index; the rest of the filter is applied to them.
    const given = [
      ...(deliveryId === undefined ? [] : [sql`id = ${deliveryId}`]),
      ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
      ...(subscriptionId === undefined ? [] : [sql`subscription_id = ${subscriptionId}`]),
      ...(states.length === 0 ? [] : [sql`state in (${sql.join(states)})`]),
      sql`sequence < ${before}`,
    ];
    return [{ below: sql.join(given, sql` and `), order: sql`sequence desc`, within: sql`1 = 1` }];
  }
  if (subscriptionId !== undefined) {
    return (states.length > 0 ? states : DELIVERY_STATES).map((state) => ({
      below: sql`(subscription_id, state, sequence) < (${subscriptionId}, ${state}, ${before})`,
      order: sql`subscription_id desc, state desc, sequence desc`,
      within: sql`delivery.subscription_id = ${subscriptionId} and delivery.state = ${state}`,
    }));
  }
  if (states.length === 0) return [{ below: sql`sequence < ${before}`, order: sql`sequence desc`, within: sql`1 = 1` }];
  return states.map((state) => ({
    below: sql`(state, sequence) < (${state}, ${before})`,
    order: sql`state desc, sequence desc`,
    within: sql`delivery.state = ${state}`,
  }));
}

interface ListedRow extends Omit<DeliveriesTable, "sequence"> {
  readonly sequence: number;
  readonly label: string;
}

const toListed = (row: ListedRow): ListedDelivery => ({
  sequence: row.sequence,
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  subscriptionId: row.subscription_id as SubscriptionId,
  subscriptionLabel: row.label,
  state: row.state as DeliveryState,
  reason: row.reason ?? undefined,
  createdAt: new Date(row.created_at),
  dueAt: toDate(row.due_at ?? row.retry_at),
});

const toDate = (milliseconds: number | null): Date | undefined =>
  milliseconds === null ? undefined : new Date(milliseconds);

async function insert(tx: Transaction<WebhooksTables>, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map(({ body: _, delaysMs, occurredAt, createdAt, dueAt, ...delivery }) => ({
    ...delivery,
    delays: JSON.stringify(delaysMs),
    occurredAt: occurredAt.getTime(),
    createdAt: createdAt.getTime(),
    dueAt: dueAt?.getTime(),
    // What is due at once is ready at once.
    lane: dueAt === undefined ? undefined : delivery.endpointOrigin,
  }));
  // With "where true" SQLite's parser does not read "on conflict" as a join condition.
  const made = await sql<{ readonly sequence: number; readonly id: string }>`
    insert into webhooks_deliveries (id, event_id, event_type, occurred_at, subscription_id, endpoint_origin, state, reason, round,
      attempts, delays, created_at, due_at, lane, fence, tenant_id)
    select batch.value ->> 'id', batch.value ->> 'eventId', batch.value ->> 'eventType',
      cast(batch.value ->> 'occurredAt' as bigint), batch.value ->> 'subscriptionId', batch.value ->> 'endpointOrigin',
      batch.value ->> 'state', batch.value ->> 'reason', 1, 0, batch.value ->> 'delays',
      cast(batch.value ->> 'createdAt' as bigint), cast(batch.value ->> 'dueAt' as bigint),
      batch.value ->> 'lane', 0, batch.value ->> 'tenantId'
    from ${batchOf(tx, rows)} where true
    on conflict (event_id, subscription_id) do nothing
    returning sequence, id`.execute(tx);
  const sequences = new Map(made.rows.map(({ id, sequence }) => [id, sequence]));
  const bodies = deliveries.flatMap(({ id, body }) => {
    const delivery = sequences.get(id);
    return delivery === undefined ? [] : [{ delivery, body }];
  });
  const bytes = isSqlite(tx)
    ? sql`cast(batch.value ->> 'body' as blob)`
    : sql`convert_to(batch.value ->> 'body', 'UTF8')`;
  await sql`
    insert into webhooks_bodies (delivery, body)
    select cast(batch.value ->> 'delivery' as bigint), ${bytes} from ${batchOf(tx, bodies)}`.execute(tx);
}
