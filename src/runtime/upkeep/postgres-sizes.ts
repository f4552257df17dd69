import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { AgeQuestion, MeasuredTable } from "./store-worker.ts";

/** Rows that are counted where the server has no estimate; a table that has more is estimated. */
const COUNTED_ROWS_MAX = 100_000;

interface TableRow {
  readonly table: string;
  /** What the server believes of the table; counts of rows and bytes are texts. */
  readonly live: string;
  /** False since a crash or a recovery to a point in time, until the table is vacuumed or analysed. */
  readonly is_known: boolean;
  /** At the last vacuum or analyse, which a crash does not reset; negative where there was none. */
  readonly earlier: number;
  readonly bytes: string;
}

/** Measures every table of a PostgreSQL store; rows are the server's estimates, except where it has lost them. */
export async function measurePostgres(
  db: Database<unknown>,
  ages: readonly AgeQuestion[],
): Promise<readonly MeasuredTable[]> {
  const { rows } = await sql<TableRow>`
    select stat.relname as "table", stat.n_live_tup as live, class.reltuples as earlier,
      coalesce(last_vacuum, last_autovacuum, last_analyze, last_autoanalyze) is not null as is_known,
      pg_total_relation_size(stat.relid) as bytes
    from pg_stat_user_tables as stat join pg_class as class on class.oid = stat.relid
    where stat.schemaname = current_schema()`.execute(db);
  const measured: MeasuredTable[] = [];
  for (const row of rows) {
    const { table } = row;
    const question = ages.find((one) => one.table === table);
    const old = question === undefined ? 0 : await countOld(db, question);
    measured.push({ table, ...(await rowsOf(db, row)), bytes: Number(row.bytes), old });
  }
  return measured;
}

/**
 * A crash sets the server's count of live rows to 0, and it goes on from there: until the table is vacuumed or analysed
 * it is counted, up to a bound.
 */
async function rowsOf(
  db: Database<unknown>,
  { table, live, is_known, earlier }: TableRow,
): Promise<Pick<MeasuredTable, "rows" | "isEstimate">> {
  if (is_known) return { rows: Number(live), isEstimate: true };
  const { rows } = await sql<{ readonly counted: string }>`
    select count(*) as counted from (select 1 from ${sql.table(table)} limit ${sql.lit(COUNTED_ROWS_MAX)}) as first`.execute(
    db,
  );
  const counted = Number(rows[0]?.counted);
  return counted < COUNTED_ROWS_MAX
    ? { rows: counted, isEstimate: false }
    : { rows: Math.max(counted, Number(live), Math.round(earlier)), isEstimate: true };
}

/** Without an index on the age it counts from the table's beginning up to the first row that is younger. */
async function countOld(db: Database<unknown>, { table, age, along, before }: AgeQuestion): Promise<number> {
  const isOld = sql`${sql.ref(age)} < ${before}`;
  const count = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ readonly old: string }>`
      select count(*) as old from ${sql.table(table)} where ${condition}`.execute(db);
    return Number(rows[0]?.old);
  };
  if (along === undefined) return count(isOld);
  const { rows } = await sql<{ readonly key: string | number }>`
    select ${sql.ref(along)} as key from ${sql.table(table)}
    where not (${isOld}) order by ${sql.ref(along)} limit 1`.execute(db);
  const [younger] = rows;
  return count(younger === undefined ? isOld : sql`${sql.ref(along)} < ${younger.key}`);
}
