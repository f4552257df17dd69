import { sql } from "kysely";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { rowsOf } from "#runtime/database/rows.ts";
import { lanesOfOrigin, originOfLane, UNPROVEN_LANES } from "../deliveries/lane.ts";
import type { WebhooksTables } from "../tables.ts";
import type { UnderWay } from "./places.ts";
import type { Line } from "./turns.ts";

/** A position among the lines, in their order. */
export interface LinePosition {
  readonly lane: string;
  readonly subscriptionId: string;
}

/** Whose turn it could be: the lines of what is ready, and what is under way beside them. */
export interface LinesRepository {
  /** When the longest ready or overdue delivery came due. */
  findOldestDue(): Promise<Date | undefined>;
  /**
   * What is under way per origin and subscription, over all workers. From here on to the end of its transaction no other
   * claim goes on.
   */
  countUnderWay(tx: Transaction<WebhooksTables>): Promise<readonly UnderWay[]>;
  /**
   * Counts as `countUnderWay` does, by one statement; `undefined` when another claim goes on and is not to be waited for. On
   * PostgreSQL the count may be from before another's end: `listLines` counts again.
   */
  beginTaking(
    tx: Transaction<WebhooksTables>,
    { waits }: { readonly waits: boolean },
  ): Promise<readonly UnderWay[] | undefined>;
  /**
   * What is under way, as of now where claims wait for each other, and lines in which something is ready, in their order,
   * at most `limit` behind each position: first those of subscriptions that were proven when it became ready, then, unless
   * `unprovenAfter` is undefined, those of others. Of an origin among `full` none.
   */
  listLines(
    tx: Transaction<WebhooksTables>,
    wanted: {
      readonly after: LinePosition;
      readonly unprovenAfter: LinePosition | undefined;
      readonly full: readonly string[];
      readonly limit: number;
    },
  ): Promise<{ readonly lines: readonly Omit<Line, "unproven">[]; readonly underWay: readonly UnderWay[] | undefined }>;
}

/** `countsRetries` where an engine outside the store drives retries; without one they are not told apart. */
export function linesRepository(
  db: Database<WebhooksTables>,
  { countsRetries = false }: { readonly countsRetries?: boolean } = {},
): LinesRepository {
  const underWay = selectUnderWay(countsRetries);
  return {
    async findOldestDue() {
      const { rows } = await sql<{ readonly due_at: number | null }>`
      with recursive ${linesBehind("line", { lane: sql`''`, subscriptionId: sql`''` })}
      select due_at from line
      union all
      select (select due_at from webhooks_queue where due_at is not null and lane is null order by due_at limit 1) as due_at
    `.execute(db);
      const dueAt = rows.flatMap((row) => (row.due_at === null ? [] : [row.due_at]));
      return dueAt.length === 0 ? undefined : new Date(Math.min(...dueAt));
    },
    async countUnderWay(tx) {
      // A statement of its own, so that the count sees what the one before has committed.
      if (!isSqlite(tx)) await sql`select pg_advisory_xact_lock(${TURN})::text`.execute(tx);
      const { rows } = await underWay.execute(tx);
      return rows.map(toUnderWay);
    },
    async beginTaking(tx, { waits }) {
      if (isSqlite(tx)) return this.countUnderWay(tx);
      const turn = waits ? sql`pg_advisory_xact_lock(${TURN})::text` : sql`pg_try_advisory_xact_lock(${TURN})::text`;
      const { rows } = await sql<Partial<UnderWayRow> & { readonly turn: string }>`
      select taking.*, under_way.* from (select ${turn} as turn) as taking
      left join (${underWay}) as under_way on true`.execute(tx);
      if (rows[0]?.turn === "false") return undefined;
      return rows.flatMap((row) => (typeof row.endpoint_origin === "string" ? [toUnderWay(row as UnderWayRow)] : []));
    },
    async listLines(tx, { after, unprovenAfter, full, limit }) {
      const fullLanes = rowsOf(
        tx,
        full.flatMap(lanesOfOrigin).map((lane) => ({ lane })),
      );
      const stretch = (name: string) => sql`
      select * from (
        select lane, subscription_id from ${sql.ref(name)} where lane not in (select value ->> 'lane' from full_lane)
        limit ${limit} + 0
      ) as ${sql.ref(`${name}_stretch`)}`;
      const behind = ({ lane, subscriptionId }: LinePosition): Position => ({
        lane: sql`cast(${lane} as text)`,
        subscriptionId: sql`cast(${subscriptionId} as text)`,
      });
      // In one statement, which is behind the one that waited for other claims.
      const counts = isSqlite(tx)
        ? sql``
        : sql`union all select endpoint_origin, subscription_id, integration_id, slow, count, retries from (${underWay}) as under_way`;
      const { rows } = await sql<LineRow>`
      with recursive full_lane as (select value from ${fullLanes}),
        ${linesBehind("proven_line", behind(after), { below: UNPROVEN_LANES, passOver: true })}
        ${unprovenAfter === undefined ? sql`` : sql`, ${linesBehind("unproven_line", behind(unprovenAfter), { passOver: true })}`}
      select * from (
        select lane, subscription_id, integration_id, coalesce(slow, 0) as slow, cast(null as bigint) as count,
          cast(null as bigint) as retries from (
          ${stretch("proven_line")} ${unprovenAfter === undefined ? sql`` : sql`union all ${stretch("unproven_line")}`}
        ) as found left join webhooks_subscriptions on webhooks_subscriptions.id = subscription_id
        ${counts}
      ) as line order by lane, subscription_id`.execute(tx);
      const { lines = [], counted = [] } = Object.groupBy(rows, ({ count }) => (count === null ? "lines" : "counted"));
      return {
        lines: lines.map((row) => ({
          lane: row.lane,
          origin: originOfLane(row.lane),
          subscriptionId: row.subscription_id,
          integrationId: row.integration_id ?? row.subscription_id,
          slow: row.slow === 1,
        })),
        underWay: isSqlite(tx)
          ? undefined
          : counted.map((row) =>
              toUnderWay({ ...row, endpoint_origin: row.lane, count: row.count ?? 0, retries: row.retries ?? 0 }),
            ),
      };
    },
  };
}

/**
 * Whose turn it is among claims: two that count at one moment would both fill the places that are left (R-X305). A process that hangs in
 * its turn soon loses it: the server ends its transaction (decision 0012).
 */
const TURN = sql`hashtext('webhooks_queue'), 0`;

/** Which attempts are retries the index of what is under way does not say, so its rows are read where they count. */
const selectUnderWay = (countsRetries: boolean) => sql<UnderWayRow>`
  select endpoint_origin, subscription_id, integration_id, count, retries, coalesce(slow, 0) as slow from (
    select endpoint_origin, subscription_id, count(*) as count,
      ${countsRetries ? sql`count(*) filter (where round = 1 and attempts > 1)` : sql`cast(0 as bigint)`} as retries
    from webhooks_queue where lease_until is not null
    group by endpoint_origin, subscription_id
  ) as counted
  left join webhooks_subscriptions on webhooks_subscriptions.id = subscription_id`;

const toUnderWay = (row: UnderWayRow): UnderWay => ({
  origin: row.endpoint_origin,
  subscriptionId: row.subscription_id,
  integrationId: row.integration_id ?? row.subscription_id,
  count: Number(row.count),
  retries: Number(row.retries),
  slow: row.slow === 1,
});

interface UnderWayRow {
  readonly endpoint_origin: string;
  readonly subscription_id: string;
  /** Null when there is no such subscription any more. */
  readonly integration_id: string | null;
  readonly count: number | string;
  readonly retries: number | string;
  readonly slow: number | null;
}

interface LineRow extends Pick<UnderWayRow, "subscription_id" | "integration_id" | "slow"> {
  readonly lane: string;
  /** Null for a line; of what is under way to an origin, which is in place of the lane. */
  readonly count: number | null;
  readonly retries: number | null;
}

type Sql = ReturnType<typeof sql>;

/** A position among the lines, as expressions. */
interface Position {
  readonly lane: Sql;
  readonly subscriptionId: Sql;
}

/**
 * The lines behind a position, as a common table of lane, subscription and the time since when the first is due: steps
 * from line to line along the index, instead of reading everything that is ready. With `passOver` an origin among
 * `full_lane` is one step, whatever is ready there.
 */
function linesBehind(
  name: string,
  position: Position,
  { below, passOver = false }: { readonly below?: string; readonly passOver?: boolean } = {},
): Sql {
  const table = sql.ref(name);
  const first = (condition: Sql) => sql`
    select sequence from webhooks_queue as ready where ready.lane is not null and ${condition}
    order by ready.lane, ready.subscription_id, ready.due_at, ready.sequence limit 1`;
  // A pair of columns beside a pair of texts that are no plain parameters is a condition on the first column alone for
  // SQLite, which would step over all that is ready in a lane.
  const next = ({ lane, subscriptionId }: Position) => sql`
    coalesce(
      (${first(sql`ready.lane = ${lane} and ready.subscription_id > ${subscriptionId}`)}),
      (${first(sql`ready.lane > ${lane} ${below === undefined ? sql`` : sql`and ready.lane < ${sql.lit(below)}`}`)})
    )`;
  const last = passOver
    ? sql`case when step.lane in (select value ->> 'lane' from full_lane) then ${sql.lit(BEHIND_ALL)} else step.subscription_id end`
    : sql`step.subscription_id`;
  return sql`
    ${table} (lane, subscription_id, due_at) as (
      select lane, subscription_id, due_at from webhooks_queue where sequence = ${next(position)}
      union all
      select line.lane, line.subscription_id, line.due_at from ${table} as step
      join webhooks_queue as line on line.sequence = ${next({ lane: sql`step.lane`, subscriptionId: last })}
    )`;
}

/** Comes behind every subscription's id in every collation. */
const BEHIND_ALL = "zzzz";
