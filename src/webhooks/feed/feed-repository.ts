import { sql } from "kysely";
import { unavailable } from "#runtime/basis/errors.ts";
import type { EventId, SubscriptionId } from "#runtime/basis/ids.ts";
import { alongIndex } from "#runtime/database/along-index.ts";
import { type AnyDatabase, type Database, isSqlite } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import { PING } from "../subscriptions/ping.ts";
import type { WebhooksTables } from "../tables.ts";

/** A delivery as the feed has it. */
export interface FedDelivery {
  readonly sequence: number;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly body: Buffer;
}

/** A part of the deliveries in the order of their sequences. */
interface Stretch {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly until: number;
}

/** Deliveries of a stretch, as of one instant. */
export interface FedPart {
  /** Where bodies begin. */
  readonly beginning: number;
  readonly deliveries: readonly FedDelivery[];
  /** Up to which sequence the stretch was read; `undefined` when it was read to its end. */
  readonly readTo: number | undefined;
  /** Where that end was: `until`, or before what an earlier program has left in its own table since it was asked for. */
  readonly end: number;
}

/** Where a feed can be read now. */
export interface FeedBounds {
  /** Bodies of deliveries up to this sequence may have been removed. */
  readonly beginning: number;
  /** Up to which sequence every delivery is committed, or never will be: nothing can be added below it. */
  readonly end: number;
  /** The last sequence that was given; deliveries behind `end` may not be committed yet. */
  readonly given: number;
}

/**
 * Deliveries in the order of their sequences. On PostgreSQL a lower sequence can commit later; so a stretch must not
 * reach beyond an `end` that was asked for before it (decision 0063).
 */
export interface FeedRepository {
  /** @throws UNAVAILABLE while the PostgreSQL is a standby, which cannot say where the feed ends. */
  findBounds(): Promise<FeedBounds>;
  /**
   * The first deliveries of a subscription in a stretch, whatever their state; omits those without a body.
   * @throws UNAVAILABLE as `findBounds` does.
   */
  list(subscriptionId: SubscriptionId, stretch: Stretch, limit: number): Promise<FedPart>;
  /**
   * Which subscriptions have deliveries in a stretch; costs what the stretch holds, however many of them are asked for.
   * @throws UNAVAILABLE as `findBounds` does.
   */
  listReceivers(stretch: Stretch): Promise<ReadonlySet<string>>;
  /** Which of the subscriptions exist and are not deleted. */
  listKept(subscriptionIds: readonly string[]): Promise<ReadonlySet<string>>;
}

type Sql = ReturnType<typeof sql>;

const SETTLED_STATES = ["cancelled", "delivered", "exhausted", "skipped"] as const;

export const feedRepository = (db: Database<WebhooksTables>): FeedRepository => ({
  async findBounds() {
    const { rows } = await (isSqlite(db)
      ? sql<BoundsRow>`
          select ${BEGINNING} as beginning, ${FORMER} as former, given, given as committed, 0 as standby
          from (select (select seq from sqlite_sequence where name = 'webhooks_queue') as given) as numbers`
      : sql<BoundsRow>`
          select ${BEGINNING} as beginning, ${FORMER} as former, webhooks_feed_end() as committed,
            pg_sequence_last_value(pg_get_serial_sequence('webhooks_queue', 'sequence')::regclass) as given,
            ${STANDBY} as standby`
    ).execute(db);
    const [{ beginning = 0, former = null, given = null, committed = null, standby = 0 } = {}] = rows;
    assertPrimary(standby);
    return {
      beginning,
      end: Math.min(committed ?? 0, former ?? Number.MAX_SAFE_INTEGER),
      given: given ?? 0,
    };
  },
  async list(subscriptionId, stretch, limit) {
    const ranges = [queued(db, subscriptionId, stretch), ...SETTLED_STATES.map(settledAs(db, subscriptionId, stretch))];
    const firsts = ranges.map(
      ({ above, within }) =>
        sql`select ${COLUMNS} from (${above} limit ${limit + 1} + 0) as part where ${within} and sequence <= ${stretch.until}`,
    );
    // One statement, and so one instant: a delivery that is settled meanwhile is in one table for it.
    const { rows } = await sql<FedRow>`
      select kept.*, page.* from (
        select ${BEGINNING} as beginning, ${FORMER} as former, ${isSqlite(db) ? sql`0` : STANDBY} as standby
      ) as kept left join (
        select found.*, (
          select body from webhooks_delivery_bodies as sent where sent.sequence = found.sequence
        ) as body
        from (${sql.join(firsts, sql` union all `)}) as found order by found.sequence limit ${limit + 1} + 0
      ) as page on 1 = 1 order by page.sequence`.execute(db);
    assertPrimary(rows[0]?.standby);
    const end = Math.min(stretch.until, rows[0]?.former ?? Number.MAX_SAFE_INTEGER);
    const found = rows.filter(({ sequence }) => sequence === null || sequence <= end);
    const read = found.slice(0, limit);
    return {
      beginning: rows[0]?.beginning ?? 0,
      deliveries: read.flatMap(toFed),
      // One more than asked for: it shows whether there is more.
      readTo: found.length > limit ? (read.at(-1)?.sequence ?? undefined) : undefined,
      end,
    };
  },
  async listReceivers({ after, until }) {
    const within = sql`sequence > ${after} and sequence <= ${until}`;
    const { rows } = await sql<{ readonly standby: number; readonly subscription_id: string | null }>`
      select standby, subscription_id from (select ${isSqlite(db) ? sql`0` : STANDBY} as standby) as kept left join (
        select subscription_id from webhooks_queue where ${within}
        union select subscription_id from webhooks_settled where ${within}
      ) as receivers on 1 = 1`.execute(db);
    assertPrimary(rows[0]?.standby);
    return new Set(rows.flatMap(({ subscription_id: id }) => (id === null ? [] : [id])));
  },
  async listKept(subscriptionIds) {
    const { rows } = await sql<{ readonly id: string }>`
      select id from webhooks_subscriptions where ${isOneOf(db, "id", subscriptionIds)} and deleted_at is null
    `.execute(db);
    return new Set(rows.map(({ id }) => id));
  },
});

/** 1 on a PostgreSQL that is a standby. */
const STANDBY = sql`pg_is_in_recovery()::int`;

/**
 * A standby knows numbers before the commits that use them, and none of the locks of those who hold them. It may also lack
 * what the primary showed a moment ago: of two statements the second one may be the first on a new connection.
 */
function assertPrimary(standby: number | undefined): void {
  if (standby === 1)
    throw unavailable("The feed cannot be read at the moment. Try again later.", { detail: "the store is a standby" });
}

interface BoundsRow {
  readonly beginning: number;
  readonly former: number | null;
  readonly given: number | null;
  readonly committed: number | null;
  readonly standby: number;
}

/** One row; what is of a delivery is null when there are none. */
interface FedRow {
  readonly beginning: number;
  readonly former: number | null;
  readonly standby: number;
  readonly sequence: number | null;
  readonly event_id: string;
  readonly event_type: string;
  readonly occurred_at: number;
  readonly body: Buffer | null;
}

const toFed = ({ sequence, event_id, event_type, occurred_at, body }: FedRow): readonly FedDelivery[] =>
  sequence === null || body === null
    ? []
    : [
        {
          sequence,
          eventId: event_id as EventId,
          eventType: event_type,
          occurredAt: new Date(occurred_at),
          body,
        },
      ];

/**
 * Before what a program from before migration 0006 made: it is in the feed once it is moved, with the number that it has.
 * Null when there is none.
 */
const FORMER = sql`(select sequence - 1 from webhooks_deliveries order by sequence limit 1)`;
const BEGINNING = sql`coalesce((select begins_after from webhooks_feed), 0)`;
const COLUMNS = sql`sequence, event_id, event_type, occurred_at`;

/** A range of one index, read upwards. */
interface Range {
  readonly above: Sql;
  /** What the range runs over into is cut off. */
  readonly within: Sql;
}

const queued = (db: AnyDatabase, subscription_id: string, { after }: Stretch): Range => ({
  above: sql`
    select ${COLUMNS}, subscription_id from webhooks_queue where ${alongIndex(db, { subscription_id }, ">", after)} and event_type <> ${PING}
    order by subscription_id, sequence`,
  within: sql`subscription_id = ${subscription_id}`,
});

const settledAs =
  (db: AnyDatabase, subscription_id: string, { after }: Stretch) =>
  (state: (typeof SETTLED_STATES)[number]): Range => ({
    above: sql`
      select ${COLUMNS}, subscription_id, state from webhooks_settled
      where ${alongIndex(db, { subscription_id, state }, ">", after)} and event_type <> ${PING} order by subscription_id, state, sequence`,
    within: sql`subscription_id = ${subscription_id} and state = ${state}`,
  });
