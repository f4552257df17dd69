import { type Selectable, sql } from "kysely";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { instantIn, isOneOf, rowsOf } from "#runtime/database/rows.ts";
import type { FormerAttemptsTable, FormerDeliveriesTable, WebhooksTables } from "../tables.ts";
import { type Attempt, attemptsToText } from "./attempt.ts";
import type { DeliveryMoves } from "./moves.ts";
import type { AttemptState } from "./outcome.ts";

const moveFormer: DeliveryMoves["moveFormer"] = async (tx, which, now) => {
  const found = "limit" in which ? await oldest(tx, which, now) : await named(tx, which);
  if (found.length === 0) return 0;
  const attempts = await attemptsOfFormer(
    tx,
    found.map(({ sequence }) => sequence),
  );
  const rows = found.map((row) => toMoved(row, attempts.get(row.sequence) ?? [], now));
  const pending = rows.filter(({ state }) => state === "pending");
  const settled = rows.filter(({ state }) => state !== "pending");
  if (pending.length > 0) await copy(tx, "webhooks_queue", [...COLUMNS, ...OF_QUEUE], pending);
  if (settled.length > 0) await copy(tx, "webhooks_settled", [...COLUMNS, ...OF_SETTLED], settled);
  const sequences = found.map(({ sequence, created_at }) => ({ sequence, created_at }));
  await sql`
    insert into webhooks_delivery_bodies (sequence, created_at, body)
    select delivery, cast(given.value ->> 'created_at' as bigint), body from ${rowsOf(tx, sequences)}
    join webhooks_bodies on delivery = cast(given.value ->> 'sequence' as bigint)`.execute(tx);
  for (const [table, key] of FORMER_TABLES) {
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select cast(given.value ->> 'sequence' as bigint) from ${rowsOf(tx, sequences)}
      )`.execute(tx);
  }
  return found.length;
};

/** In the order in which their rows can be removed. */
const FORMER_TABLES = [
  ["webhooks_attempts", "delivery"],
  ["webhooks_bodies", "delivery"],
  ["webhooks_deliveries", "sequence"],
] as const;

type FormerRow = Selectable<FormerDeliveriesTable>;

const NUMBERS = ["sequence", "occurred_at", "round", "attempts", "created_at", "fence"] as const;
const TEXTS = [
  "id",
  "event_id",
  "event_type",
  "subscription_id",
  "tenant_id",
  "endpoint_origin",
  "delays",
  "made",
] as const;
const COLUMNS: readonly string[] = [...NUMBERS, ...TEXTS];
const QUEUE_TIMES = ["due_at", "lease_until", "started_at", "retry_at", "hand_over_at"] as const;
const OF_QUEUE: readonly string[] = [...QUEUE_TIMES, "lane", "claim", "endpoint_url", "reason"];
const OF_SETTLED: readonly string[] = ["state", "reason", "settled_at"];
const WHOLE: ReadonlySet<string> = new Set([...NUMBERS, ...QUEUE_TIMES, "settled_at"]);

/**
 * A row that is there already is left as it is: an earlier program that relayed an event once more, of which this one
 * had relayed a part, made the same deliveries.
 */
async function copy(
  tx: Transaction<WebhooksTables>,
  table: "webhooks_queue" | "webhooks_settled",
  columns: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const values = columns.map((column) =>
    WHOLE.has(column)
      ? sql`cast(given.value ->> ${sql.lit(column)} as bigint)`
      : sql`given.value ->> ${sql.lit(column)}`,
  );
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${isSqlite(tx) ? sql`` : sql`overriding system value`}
    select ${sql.join(values)} from ${rowsOf(tx, rows)} where true on conflict do nothing`.execute(tx);
}

async function oldest(
  tx: Transaction<WebhooksTables>,
  { limit, settledToo = true }: { readonly limit: number; readonly settledToo?: boolean },
  now: Date,
): Promise<readonly FormerRow[]> {
  const ofState = async (isWanted: ReturnType<typeof sql>) => {
    const { rows } = await sql<FormerRow>`
      select * from webhooks_deliveries where ${isWanted}
      order by sequence limit ${limit} + 0 ${isSqlite(tx) ? sql`` : sql`for update skip locked`}`.execute(tx);
    return rows;
  };
  const isLeft = sql`(lease_until is null or lease_until <= ${now.getTime()})`;
  const pending = await ofState(sql`state = 'pending' and ${isLeft}`);
  return pending.length > 0 || !settledToo ? pending : ofState(sql`state <> 'pending'`);
}

async function named(
  tx: Transaction<WebhooksTables>,
  which: { readonly ids: readonly string[] } | { readonly claims: readonly string[] },
): Promise<readonly FormerRow[]> {
  const isNamed =
    "ids" in which
      ? isOneOf(tx, "id", which.ids)
      : sql`lease_until is not null and ${isOneOf(tx, "claim", which.claims)}`;
  const { rows } = await sql<FormerRow>`
    select * from webhooks_deliveries where ${isNamed}
    order by sequence ${isSqlite(tx) ? sql`` : sql`for update`}`.execute(tx);
  return rows;
}

/** An earlier row as one of the queue, or one of what is settled. */
function toMoved(row: FormerRow, attempts: readonly Attempt[], now: Date) {
  const ended = attempts.filter(({ outcome }) => outcome !== "in_flight");
  const started = row.lease_until === null ? undefined : attempts.find(({ outcome }) => outcome === "in_flight");
  return {
    ...row,
    made: attemptsToText(ended),
    started_at: row.lease_until === null ? undefined : (started?.startedAt ?? now).getTime(),
    endpoint_url: started?.endpointUrl,
    settled_at: (ended.at(-1)?.finishedAt ?? new Date(row.created_at)).getTime(),
  };
}

const attemptsOfFormer: DeliveryMoves["attemptsOfFormer"] = async (db, deliveries) => {
  const { rows } = await sql<FormerAttemptsTable>`
    select webhooks_attempts.* from ${rowsOf(
      db,
      deliveries.map((sequence) => ({ sequence })),
    )}
    join webhooks_attempts on delivery = cast(given.value ->> 'sequence' as bigint)
    order by delivery, round, number`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ delivery }) => delivery)].map(([delivery, made]) => [delivery, made.map(toAttempt)]),
  );
};

const toAttempt = (row: FormerAttemptsTable): Attempt => ({
  round: row.round,
  number: row.number,
  startedAt: new Date(row.started_at),
  finishedAt: instantIn(row.finished_at),
  outcome: row.outcome as AttemptState,
  httpStatus: row.http_status ?? undefined,
  durationMs: row.duration_ms ?? undefined,
  retryAfter: row.retry_after ?? undefined,
  endpointUrl: row.endpoint_url,
  responseExcerpt: row.response_excerpt ?? undefined,
});

export const formerRepository: Pick<DeliveryMoves, "moveFormer" | "attemptsOfFormer"> = {
  moveFormer,
  attemptsOfFormer,
};
