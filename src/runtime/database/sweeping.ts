import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";

/** Rows removed by one statement: small, so that no sweep occupies the writer for long. */
export const SWEEP_BATCH = 500;

/**
 * What becomes of a table's rows. Every table of the schema has one of these, so that none grows for ever (R-X249).
 */
export type TableUpkeep = { readonly table: string } & (
  | {
      /** Removed when the instant in this column is longer ago. */
      readonly age: string;
      readonly keepMs: number;
      /** The primary key, where it rises with the age, which has no index then. */
      readonly along?: string | undefined;
    }
  | {
      /** Why it does not grow with time, or what removes its rows; a sentence for operators. */
      readonly bounded: string;
    }
);

/** Rows of `table` whose time in column `age` is before a given moment; `key` is its primary key. */
interface Swept {
  readonly table: string;
  readonly key: string;
  readonly age: string;
  /** The key rises with the age, so that the age needs no index. */
  readonly inOrder?: boolean;
}

/** What is said of a table whose rows are swept so. */
export const upkeepOf = ({ table, key, age, inOrder, keepMs }: Swept & { readonly keepMs: number }): TableUpkeep => ({
  table,
  age,
  keepMs,
  along: inOrder === true ? key : undefined,
});

/** Rows of a table that are swept along the key. */
interface SweptInOrder extends Swept {
  readonly inOrder: true;
  /** The instant of the clock: a row with a later one was written while the clock was ahead. */
  readonly now: number;
  /** A condition for rows that stay, however old they are. */
  readonly unless?: RawBuilder<unknown>;
  /** Called before rows up to that key are removed, which is one of them. */
  readonly beforeRemoval?: ((last: number) => Promise<unknown>) | undefined;
}

/**
 * Calls `removeBatch`, which returns the number of rows it removed, until a batch is not full or `signal` aborts.
 * Between two batches it yields to the event loop: the embedded store answers synchronously, so that awaiting it would
 * not let other work run.
 */
export async function inBatches(signal: AbortSignal, removeBatch: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await removeBatch()) >= SWEEP_BATCH) await nextTurn();
}

/** Removes the rows older than `before` (ms since 1970), the oldest first, one batch at a time. */
export async function sweep<Tables>(
  db: Kysely<Tables>,
  swept: Swept | SweptInOrder,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  if (isInOrder(swept)) return sweepInOrder(db, swept, before, signal);
  const { table, key, age } = swept;
  const isOld = sql`${sql.ref(age)} < ${before}`;
  const doomed = sql`select ${sql.ref(key)} from ${sql.table(table)}
    where ${isOld} order by ${sql.ref(age)} limit ${SWEEP_BATCH}`;
  // The age is checked again, because PostgreSQL may find that a row was renewed after the inner query read it.
  const removal = sql`delete from ${sql.table(table)} where ${isOld} and ${sql.ref(key)} in (${doomed})`;
  await inBatches(signal, async () => Number((await removal.execute(db)).numAffectedRows ?? 0n));
}

/** As `sweep`; of more than `most` rows, those beyond the newest `most` too, with those that are as old as the first of them. */
export async function sweepBeyond<Tables>(
  db: Kysely<Tables>,
  swept: Swept,
  { before, most }: { readonly before: number; readonly most: number },
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ readonly age: number }>`
    select ${sql.ref(swept.age)} as age from ${sql.table(swept.table)}
    order by ${sql.ref(swept.age)} desc limit 1 offset ${most}`.execute(db);
  const surplus = rows[0]?.age ?? 0;
  await sweep(db, swept, Math.max(surplus + 1, before), signal);
}

const isInOrder = (swept: Swept): swept is SweptInOrder => swept.inOrder === true;

/**
 * From the beginning of the table up to the last old row before the first young one. Keys rise with time: a row of the
 * future was written while the clock was ahead, and is as old as an old one that follows; an old row behind a young one was
 * written while the clock was behind, and is as young (R-X392).
 */
async function sweepInOrder<Tables>(
  db: Kysely<Tables>,
  { table, key, age, now, unless = sql`1 = 0`, beforeRemoval }: SweptInOrder,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  const above = (from: number | string | undefined) =>
    from === undefined ? sql`1 = 1` : sql`${sql.ref(key)} > ${from}`;
  let seen: number | string | undefined;
  /** Up to here all old rows were looked at: they are removed, or stay. */
  let swept: number | string | undefined;
  const doomedUpTo = (last: number | string) => sql`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where ${above(swept)} and ${sql.ref(key)} <= ${last} and not (${unless})`;
  /** Of rows that stay, none is announced. What ceases to be one of them from now on is left for the next sweep. */
  const lastDoomed = async (lastOld: number | string): Promise<number | string | undefined> => {
    const { rows } = await sql<{ readonly key: number | string }>`
      ${doomedUpTo(lastOld)} order by ${sql.ref(key)} desc limit 1`.execute(db);
    return rows[0]?.key;
  };
  for (; !signal.aborted; await nextTurn()) {
    const { rows } = await sql<{ readonly key: number | string; readonly age: number }>`
      select ${sql.ref(key)} as key, ${sql.ref(age)} as age from ${sql.table(table)}
      where ${above(seen)} order by ${sql.ref(key)} limit ${SWEEP_BATCH} + 0`.execute(db);
    const firstYoung = rows.findIndex((row) => row.age >= before && row.age <= now);
    const lastOld = rows
      .slice(0, firstYoung === -1 ? rows.length : firstYoung)
      .findLast((row) => row.age < before)?.key;
    const last = lastOld !== undefined && beforeRemoval !== undefined ? await lastDoomed(lastOld) : lastOld;
    if (last !== undefined) {
      await beforeRemoval?.(Number(last));
      const doomed = sql`${doomedUpTo(last)} order by ${sql.ref(key)} limit ${SWEEP_BATCH}`;
      await inBatches(signal, async () => {
        const removal = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${doomed})`.execute(db);
        return Number(removal.numAffectedRows ?? 0n);
      });
    }
    swept = lastOld ?? swept;
    const end = rows.at(-1);
    if (end === undefined || firstYoung !== -1 || rows.length < SWEEP_BATCH) return;
    seen = end.key;
  }
}

/** Rows that one window covers: as many as are read at once without keeping requests waiting. */
const WINDOW = 1_000;

/** Keys of one window, which has at most 1,000 rows: above `after`, up to `until`. */
export interface Window {
  readonly after: number;
  readonly until: number;
}

/**
 * Calls `visit` for one window of rows after the other, along their `sequence`, until `signal` is aborted. Each window
 * ends at a row that exists: numbers that a restore has left out cost nothing (R-X335). Between two windows it yields
 * like `inBatches`.
 * @param tables all have the column `sequence`, as one row of numbers; a row may move from one to another meanwhile.
 */
export async function inWindows<Tables>(
  db: Kysely<Tables>,
  tables: readonly string[],
  signal: AbortSignal,
  visit: (window: Window) => Promise<void>,
): Promise<void> {
  for (let after = 0; !signal.aborted; await nextTurn()) {
    const firsts = tables.map(
      (table) => sql`
        select sequence from (
          select sequence from ${sql.table(table)} where sequence > ${after} order by sequence limit ${sql.lit(WINDOW)}
        ) as found`,
    );
    const { rows } = await sql<{ readonly last: number | null; readonly count: number }>`
      select max(sequence) as last, count(*) as count from (
        ${sql.join(firsts, sql` union all `)} order by sequence limit ${sql.lit(WINDOW)}
      ) as covered`.execute(db);
    const [found] = rows;
    if (found === undefined || found.last === null) return;
    const until = Number(found.last);
    await visit({ after, until });
    if (Number(found.count) < WINDOW) return;
    after = until;
  }
}
