import {
  CompiledQuery,
  type Expression,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { type AnyDatabase, isSqlite } from "./database.ts";

/**
 * The elements of an array as rows of `given`, bound as one JSON parameter: a statement keeps its text, and so its
 * plan, whatever the number of rows. A field is read as `given.value ->> 'name'`, which is text: cast it.
 */
export function rowsOf(db: AnyDatabase, elements: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(elements);
  // Selects only SQLite's column `value`: jsonb_each has columns named id, key and path too. With json_each an element would
  // be written as text, and read again for each of its fields: three times the cost.
  return isSqlite(db)
    ? sql`(select value from jsonb_each(${json})) as given`
    : sql`jsonb_array_elements(${json}::jsonb) as given(value)`;
}

/** True for a column with one of the values, bound as one parameter like the rows above. `column` is a constant of ours. */
export const isOneOf = (db: AnyDatabase, column: string, values: readonly string[]): Expression<SqlBool> =>
  isSqlite(db)
    ? sql<SqlBool>`${sql.ref(column)} in (select value from jsonb_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`;

/**
 * True for a column with one of the ids that `asked` selects, which are few. PostgreSQL takes a subquery for long where it cannot
 * know, and reads all of a table that is not much larger; an array it looks up. `column` is a constant of ours.
 */
export const isAmong = (db: AnyDatabase, column: string, asked: Expression<unknown>): Expression<SqlBool> =>
  isSqlite(db) ? sql<SqlBool>`${sql.ref(column)} in ${asked}` : sql<SqlBool>`${sql.ref(column)} = any(array${asked})`;

/** An instant of a column; `undefined` where none is. */
export const instantIn = (milliseconds: number | null | undefined): Date | undefined =>
  milliseconds === null || milliseconds === undefined ? undefined : new Date(milliseconds);

/** Those of the ids that are erased, of a table with the columns `id` and `erased_at`. */
export async function erasedAmong<Id extends string>(
  db: AnyDatabase,
  table: string,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ readonly id: Id }>`
    select id from ${sql.table(table)} where ${isOneOf(db, "id", ids)} and erased_at is not null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

interface Move {
  /** A table whose key is `sequence`. */
  readonly from: string;
  /** Read as rows of `given`, one for each row of the table that may go. */
  readonly given: readonly object[];
  /** Which row, as `moved`, an element is about, and whether it still is as the element says. */
  readonly isAsGiven: RawBuilder<unknown>;
  /** `insert into … select …`, of columns of `moved` and of `value`, without `from`. */
  readonly insert: RawBuilder<unknown>;
}

interface Sequenced {
  readonly sequence: number;
}

/** Moves rows from one table into another; returns the sequences of those that went. */
export async function moveRows(
  tx: AnyDatabase,
  { from, given, isAsGiven, insert }: Move,
): Promise<ReadonlySet<number>> {
  if (given.length === 0) return new Set();
  const table = sql.table(from);
  const elements = rowsOf(tx, given);
  if (!isSqlite(tx)) {
    const { rows } = await sql<Sequenced>`
      with moved as (
        delete from ${table} as moved using ${elements} where ${isAsGiven} returning moved.*, given.value
      ) ${insert} from moved returning sequence`.execute(tx);
    return new Set(rows.map(({ sequence }) => sequence));
  }
  // SQLite has no statement that does both.
  const { rows } = await sql<Sequenced>`
    ${insert} from ${elements} join ${table} as moved on ${isAsGiven} where true returning sequence`.execute(tx);
  await sql`
    delete from ${table} where sequence in (
      select cast(given.value ->> 'sequence' as integer) from ${rowsOf(tx, rows)}
    )`.execute(tx);
  return new Set(rows.map(({ sequence }) => sequence));
}

/**
 * Inserts any number of rows by one statement, all with the columns of the first one: texts, numbers and nulls. The
 * rows may refer to each other in any order, since constraints are checked when the statement ends.
 */
export async function insertRows<T, K extends keyof T & string>(
  db: Kysely<T>,
  table: K,
  rows: readonly Insertable<T[K]>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  // SQLite takes longer to read JSON than to insert the usual number of rows.
  const areBound = isSqlite(db) && rows.length <= BOUND_ROWS_MAX;
  const key = `${isSqlite(db)} ${areBound ? rows.length : "any"} ${table} ${names}`;
  const text =
    insertTexts.get(key) ?? (areBound ? fewRowsText(db, table, names, rows.length) : rowsText(db, table, names));
  insertTexts.set(key, text);
  const values = areBound ? rows.flatMap((row) => valuesOf(row, names)) : [JSON.stringify(rows)];
  await db.executeQuery(CompiledQuery.raw(text, values));
}

/** By name, as JSON is read: a row may have its columns in another order. */
const valuesOf = (row: object, names: readonly string[]): readonly unknown[] =>
  names.map((name) => (row as Readonly<Record<string, unknown>>)[name] ?? null);

/** Each number of rows is a statement of its own, so a few are. */
const BOUND_ROWS_MAX = 8;

/** Composing one costs more than running it. There are as many as calls in the program, and numbers of rows. */
const insertTexts = new Map<string, string>();

function fewRowsText(db: AnyDatabase, table: string, names: readonly string[], count: number): string {
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const row = sql`(${sql.join(names.map(() => BOUND_LATER))})`;
  return sql`insert into ${sql.table(table)} (${columns}) values ${sql.join(Array(count).fill(row))}`.compile(db).sql;
}

function rowsText(db: AnyDatabase, table: string, names: readonly string[]): string {
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const values = isSqlite(db)
    ? sql`select ${sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`))} from jsonb_each(${BOUND_LATER})`
    : sql`select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${BOUND_LATER}::jsonb)`;
  return sql`insert into ${sql.table(table)} (${columns}) ${values}`.compile(db).sql;
}

/** Where a value goes that each call binds. */
const BOUND_LATER = sql`${null}`;

/** Orders a column by its bytes, alike on every database; PostgreSQL's default order depends on a language. */
export const byBytes = (db: AnyDatabase, column: string): RawBuilder<string> =>
  isSqlite(db) ? sql<string>`${sql.ref(column)}` : sql<string>`${sql.ref(column)} collate "C"`;

/**
 * True for a column with the name, where A to Z count like a to z and all other letters as they are: SQLite's `lower` is
 * about these only, and so is PostgreSQL's in this collation (R-X194).
 */
export const matchesName = (db: AnyDatabase, column: RawBuilder<unknown>, name: string): RawBuilder<SqlBool> =>
  isSqlite(db)
    ? sql<SqlBool>`lower(${column}) = lower(${name})`
    : sql<SqlBool>`lower((${column}) collate "C") = lower(cast(${name} as text) collate "C")`;
