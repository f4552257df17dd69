import { sql } from "kysely";
import { alongIndex, valuesAre } from "#runtime/database/along-index.ts";
import { type AnyDatabase, type Database, isSqlite } from "#runtime/database/database.ts";
import { isAmong, rowsOf } from "#runtime/database/rows.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DeliveryState, SettledState } from "./delivery.ts";
import { type ListedDelivery, type ListedRow, toListed } from "./listed-delivery.ts";
import type { DeliveryMoves } from "./moves.ts";

const SETTLED_STATES: readonly SettledState[] = ["delivered", "exhausted", "skipped", "cancelled"];

export interface DeliveryFilter {
  readonly subscriptionId: string | undefined;
  /** In place of one: of any of these. */
  readonly subscriptionIds?: readonly string[] | undefined;
  readonly deliveryId: string | undefined;
  readonly eventId: string | undefined;
  /** Empty: all. */
  readonly states: readonly DeliveryState[];
  /** Only older ones than this sequence. */
  readonly before: number | undefined;
  /** Only those made before this time; costs little where `before` is about there. */
  readonly madeBefore?: Date | undefined;
  readonly limit: number;
}

/** Deliveries wherever they are: in the queue, settled, or where an earlier program left them. */
export interface DeliveryRepository {
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly ListedDelivery[]>;
  /**
   * The sequence from which on deliveries were made at this time or later, as far as numbers follow time: transactions of
   * one moment may mix, and a clock may have been set back.
   */
  sequenceAt(time: Date): Promise<number>;
}

export const deliveryRepository = (
  db: Database<WebhooksTables>,
  { attemptsOfFormer }: Pick<DeliveryMoves, "attemptsOfFormer">,
): DeliveryRepository => {
  return {
    async list(filter) {
      let found: readonly ListedDelivery[] = [];
      for (const subscriptionIds of statementsOf(db, filter)) {
        // Once there are enough, only what is younger than the oldest of them.
        const after = found.length < filter.limit ? 0 : (found.at(-1)?.sequence ?? 0);
        const younger = await listOf({ ...filter, subscriptionIds }, after);
        found = [...found, ...younger].toSorted((one, other) => other.sequence - one.sequence).slice(0, filter.limit);
      }
      return found;
    },
    async sequenceAt(time) {
      const tables = [...TABLES.keys()].map((table) => sql.table(table));
      const last = tables.map((table) => sql`select max(sequence) as sequence from ${table}`);
      const nextIsBefore = tables.map(
        (table) => sql`
          coalesce((
            select created_at from ${table} where sequence >= (low + high) / 2 order by sequence limit 1
          ) < ${time.getTime()}, 1 = 0)`,
      );
      const isBefore = sql.join(nextIsBefore, sql` or `);
      // Halves the sequences some twenty times, whatever the number of rows: each step looks at primary keys.
      const { rows } = await sql<{ readonly low: number }>`
        with recursive halves(low, high) as (
          select cast(0 as bigint), coalesce(max(sequence), -1) + 1 from (${sql.join(last, sql` union all `)}) as last
          union all
          select case when ${isBefore} then (low + high) / 2 + 1 else low end,
            case when ${isBefore} then high else (low + high) / 2 end
          from halves where low < high
        )
        select low from halves where low = high`.execute(db);
      return Number(rows[0]?.low ?? 0);
    },
  };

  async function listOf(
    { before = Number.MAX_SAFE_INTEGER, madeBefore, limit, ...filter }: DeliveryFilter,
    after: number,
  ): Promise<readonly ListedDelivery[]> {
    const made = madeBefore === undefined ? sql`1 = 1` : sql`created_at < ${madeBefore.getTime()}`;
    const ranges = [...TABLES.keys()].flatMap((table) =>
      rangesOf(db, table, filter, { before, after }).map(
        ({ each, columns, below, order, within }) => sql`
          select sequence from ${each === undefined ? sql`` : sql`${each} cross join lateral`} (
            select ${columns} from ${sql.table(table)} as delivery where ${below} and ${made}
            order by ${order} limit ${limit} + 0
          ) as stretch where ${within}`,
      ),
    );
    // Many ranges find many numbers each; only of those that are listed rows are read.
    const isListed = isAmong(db, "sequence", sql`(select sequence from listed)`);
    const rowsOfTables = [...TABLES].map(
      ([table, columns]) => sql`select ${columns} from ${sql.table(table)} as delivery where ${isListed}`,
    );
    // One statement, and so one instant: a delivery that is settled meanwhile is in one table for it.
    const { rows } = await sql<ListedRow>`
      with listed as materialized (
        select sequence from (${sql.join(ranges, sql` union all `)}) as found order by sequence desc limit ${limit} + 0
      )
      select found.*, coalesce(former_label, label) as label, case when deleted_at is null then 0 else 1 end as is_deleted,
        case when new_body.sequence is null and old_body.delivery is null then 1 else 0 end as body_removed
      from (${sql.join(rowsOfTables, sql` union all `)}) as found
      join webhooks_subscriptions on webhooks_subscriptions.id = found.subscription_id
      left join webhooks_delivery_bodies as new_body on new_body.sequence = found.sequence
      left join webhooks_bodies as old_body on old_body.delivery = found.sequence
      order by found.sequence desc`.execute(db);
    const former = rows.filter(({ made }) => made === null).map(({ sequence }) => sequence);
    const attempts = former.length === 0 ? new Map() : await attemptsOfFormer(db, former);
    return rows.map((row) => toListed(row, attempts.get(row.sequence) ?? []));
  }
};

type Sql = ReturnType<typeof sql>;

type DeliveryTable = "webhooks_queue" | "webhooks_settled" | "webhooks_deliveries";

const SHOWN = sql`sequence, id, event_id, event_type, tenant_id, subscription_id, round, attempts, created_at`;

/** Where deliveries are, and what a list reads of each: alike, so that they can be put together. */
const TABLES: ReadonlyMap<DeliveryTable, Sql> = new Map([
  [
    "webhooks_queue",
    sql`${SHOWN}, 'pending' as state, reason, coalesce(due_at, retry_at) as due_at, made, started_at, endpoint_url`,
  ],
  [
    "webhooks_settled",
    sql`${SHOWN}, state, reason, cast(null as bigint) as due_at, made, cast(null as bigint) as started_at, null as endpoint_url`,
  ],
  [
    "webhooks_deliveries",
    sql`${SHOWN}, state, reason, coalesce(due_at, retry_at) as due_at, null as made, cast(null as bigint) as started_at, null as endpoint_url`,
  ],
]);

/** Between two sequences, both exclusive. */
interface Part {
  readonly before: number;
  readonly after: number;
}

/** A stretch of one index, read downwards. */
interface Range {
  /** Rows of `given`, each with a stretch of its own. */
  readonly each?: Sql;
  /** The number, and what `within` looks at: an index has all of it. */
  readonly columns: Sql;
  readonly below: Sql;
  readonly order: Sql;
  /** What the stretch runs over into is cut off. */
  readonly within: Sql;
}

/**
 * One range per state, merged by the statement: so each page costs the same however many deliveries there are of other
 * states or subscriptions.
 */
function rangesOf(
  db: AnyDatabase,
  table: DeliveryTable,
  {
    subscriptionId,
    subscriptionIds = oneOrAll(subscriptionId),
    deliveryId,
    eventId,
    states,
  }: Omit<DeliveryFilter, "before" | "limit">,
  part: Part,
): Range[] {
  const within = sql`sequence < ${part.before} and sequence > ${part.after}`;
  const all = { columns: sql`sequence`, order: sql`sequence desc`, within: sql`1 = 1` };
  const wanted = states.length > 0 ? states : (["pending", ...SETTLED_STATES] as const);
  const here = wanted.filter(
    (state) => table === "webhooks_deliveries" || (state === "pending") === (table === "webhooks_queue"),
  );
  if (here.length === 0) return [];
  if (deliveryId !== undefined || eventId !== undefined) {
    // Few rows, by their own index; the rest of the filter is applied to them.
    const given = [
      ...(deliveryId === undefined ? [] : [sql`id = ${deliveryId}`]),
      ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
      // The queue's index has the subscription first.
      ...(eventId === undefined || table !== "webhooks_queue"
        ? []
        : [sql`subscription_id in (select id from webhooks_subscriptions)`]),
      ...(subscriptionIds === undefined ? [] : [sql`subscription_id in (${sql.join(subscriptionIds)})`]),
      ...(states.length === 0 || table === "webhooks_queue" ? [] : [sql`state in (${sql.join(here)})`]),
      within,
    ];
    return [{ ...all, below: sql.join(given, sql` and `) }];
  }
  if (subscriptionIds !== undefined && subscriptionIds.length > 1 && !isSqlite(db)) {
    // Lateral ranges are planned once; planning each of some hundreds would take longer than all of them. Beyond its end, a
    // comparison of rows would read on.
    const isQueue = table === "webhooks_queue";
    const each = rowsOf(
      db,
      subscriptionIds.flatMap((id) => (isQueue ? [{ id }] : here.map((state) => ({ id, state })))),
    );
    const below = [isGiven("subscription_id", "id"), ...(isQueue ? [] : [isGiven("state", "state")]), within];
    return [{ ...all, each, below: sql.join(below, sql` and `) }];
  }
  if (table === "webhooks_queue" && subscriptionIds !== undefined) {
    return subscriptionIds.map((id) => ({ ...all, below: sql`subscription_id = ${id} and ${within}` }));
  }
  if (subscriptionIds !== undefined) {
    return subscriptionIds.flatMap((id) => here.map((state) => rangeOf(db, { subscription_id: id, state }, part)));
  }
  if (states.length === 0 || table === "webhooks_queue") return [{ ...all, below: within }];
  return here.map((state) => rangeOf(db, { state }, part));
}

/**
 * True of rows with this value of `given`, which a planner does not know: of a table where almost all rows have one value
 * it would read every row for a rare one. Said twice, so few rows seem to fit that it takes the index of the column.
 */
const isGiven = (column: string, name: string): Sql => {
  const value = sql`given.value ->> ${sql.lit(name)}`;
  return sql`${sql.ref(column)} = ${value} and ${sql.ref(column)} between ${value} and ${value}`;
};

/** Downwards along an index of these columns and the sequence. */
const rangeOf = (db: AnyDatabase, columns: Readonly<Record<string, string>>, { before, after }: Part): Range => ({
  columns: sql.join([...Object.keys(columns), "sequence"].map((name) => sql.ref(name))),
  below: isSqlite(db)
    ? sql`${alongIndex(db, columns, "<", before)} and sequence > ${after}`
    : // The other end too: what the comparison runs over into may be long, and of another time.
      sql`${alongIndex(db, columns, "<", before)} and ${alongIndex(db, columns, ">", after)}`,
  order: sql.join([...Object.keys(columns), "sequence"].map((name) => sql`${sql.ref(name)} desc`)),
  within: valuesAre(columns),
});

/** Subscriptions of a first statement, which finds about how old the newest are. */
const SUBSCRIPTIONS_FIRST = 8;

/** The subscriptions of each statement: in SQLite, a statement cannot have more ranges than some hundreds. */
function* statementsOf(
  db: AnyDatabase,
  { subscriptionIds, eventId }: DeliveryFilter,
): Generator<readonly string[] | undefined> {
  if (subscriptionIds?.length === 0) return;
  if (subscriptionIds === undefined || eventId !== undefined) return yield subscriptionIds;
  let step = SUBSCRIPTIONS_FIRST;
  for (let start = 0; start < subscriptionIds.length; start += step) {
    step = start === 0 || isSqlite(db) ? SUBSCRIPTIONS_FIRST : subscriptionIds.length;
    yield subscriptionIds.slice(start, start + step);
  }
}

const oneOrAll = (id: string | undefined): readonly string[] | undefined => (id === undefined ? undefined : [id]);
