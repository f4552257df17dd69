import { isDeepStrictEqual } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import type { QueryResultRow } from "pg";
import { CannotStart } from "../basis/errors.ts";
import type { Deadlines } from "../database/deadlines.ts";
import { POSTGRES_LOCK, UNFINISHED_COPY } from "../database/migrations.ts";
import { connectionConfig, PostgresConnection } from "../database/postgres/postgres-connection.ts";
import { type CopiedTable, compareRows, copyRows, quoted, type Target } from "./copied-rows.ts";

const CONNECT_MS = 10_000;
/** Limits of the server's that a role may have, for requests; the copy has deadlines of its own. */
const LIMITS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"];
/** Its rows are written by the migrations of each store. */
const LEDGER = "migration_ledger";

interface CopyResult {
  readonly tables: readonly CopiedTable[];
  /** Rows that an earlier, interrupted run had copied. */
  readonly resumed: number;
}

interface CopyOrder {
  /** Main file of the embedded store, which nothing has open and which is at the program's level. */
  readonly from: string;
  /** A PostgreSQL store with the same tables. */
  readonly to: string;
  readonly storeId: string;
  readonly deadlines: Pick<Deadlines, "transactionMs" | "migrationMs">;
  /**
   * Asked once no program can begin with the target any more, before a row is written there. Throws when one has begun.
   * @param query asks the target.
   */
  readonly assertUnused?: (query: Target["query"]) => Promise<void>;
}

const targetOf = (connection: PostgresConnection, { transactionMs, migrationMs }: CopyOrder["deadlines"]): Target => ({
  query: <R extends QueryResultRow>(statement: string, values?: unknown[]) =>
    connection.within(transactionMs, connection.query<R>(statement, values)),
  queryWhole: (statement) => connection.within(migrationMs, connection.query(statement)),
});

/**
 * Copies every row of an embedded store into a PostgreSQL store, table by table, and compares both afterwards. The
 * source is only read. Until the end no program starts with the target; an interrupted copy goes on where it was
 * (R-X253).
 * @throws CannotStart when the target has rows of its own, or a table differs afterwards; ETIMEDOUT, or CannotStart where
 * rows are written, when the target does not answer in time.
 */
export async function copyStore({ from, to, storeId, deadlines, assertUnused }: CopyOrder): Promise<CopyResult> {
  const source = new BetterSqlite3(from, { readonly: true, timeout: 5_000 });
  source.defaultSafeIntegers(true);
  const connection = new PostgresConnection({
    ...connectionConfig(to, "gatehouse copy"),
    connectionTimeoutMillis: CONNECT_MS,
  });
  const target = targetOf(connection, deadlines);
  try {
    source.exec("begin");
    await connection.connect();
    await target.query("select set_config(name, '0', false) from pg_settings where name = any($1)", [LIMITS]);
    const tables = tablesOf(source);
    await target.query("begin");
    // A program that starts has it while it looks into the ledger: it meets the mark, or was there before and is found.
    await target.query("select pg_advisory_xact_lock($1)", [POSTGRES_LOCK]);
    await assertUnused?.(target.query);
    const resumed = await begin(target, tables, { storeId, steps: source.prepare<[], string>(STEPS).pluck().all() });
    await target.query("commit");
    for (const table of tables) await copyRows(source, target, table);
    const copied: CopiedTable[] = [];
    for (const table of tables) copied.push(await compareRows(source, target, table));
    await end(source, target, tables);
    return { tables: copied, resumed };
  } finally {
    source.close();
    await connection.leave(CONNECT_MS);
  }
}

const tablesOf = (source: BetterSqlite3.Database): readonly string[] =>
  source
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all()
    .filter((name) => name !== LEDGER);

/** What a store's ledger has; both databases read it. */
const STEPS = `select owner || ' ' || number || ' ' || digest as step from ${LEDGER}
  where owner <> '${UNFINISHED_COPY}'`;

/** What a target has to know of the source. */
interface Source {
  readonly storeId: string;
  /** The steps of migrations that it has taken. */
  readonly steps: readonly string[];
}

/**
 * Marks the target as unfinished, and takes its references between tables away until all rows are there; those of tables
 * of an extension stay.
 * @returns how many rows an earlier run has copied.
 * @throws CannotStart when the target has rows of its own, or an unfinished copy of another store or by another version:
 * its start would take steps once more that the rows have taken.
 */
async function begin(target: Target, tables: readonly string[], { storeId, steps }: Source): Promise<number> {
  const { rows: marks } = await target.query<{ digest: string }>(`select digest from ${LEDGER} where owner = $1`, [
    UNFINISHED_COPY,
  ]);
  const [mark] = marks;
  if (mark !== undefined) {
    if (mark.digest !== storeId) throw taken("a copy of another store that is not finished");
    const { rows: there } = await target.query<{ step: string }>(STEPS);
    if (!isDeepStrictEqual(new Set(there.map(({ step }) => step)), new Set(steps)))
      throw taken("an unfinished copy that another version of the program began");
    const { rows } = await target.query<{ copied: string }>(
      "select coalesce(sum(copied), 0) as copied from store_copy",
    );
    return Number(rows[0]?.copied);
  }
  for (const table of tables) {
    const { rowCount } = await target.query(`select 1 from ${quoted(table)} limit 1`);
    if (rowCount !== 0) throw taken(`rows in ${table}`);
  }
  await target.query(`insert into ${LEDGER} (owner, number, name, digest, applied_at) values ($1, 1, 'copy', $2, 0)`, [
    UNFINISHED_COPY,
    storeId,
  ]);
  await target.query("create table store_copy (table_name text primary key, last_key text, copied bigint not null)");
  await target.query(
    `create table store_copy_references as
    select conrelid::regclass::text as table_name, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = quote_ident(current_schema())::regnamespace
      and (select relname from pg_class where pg_class.oid = conrelid) = any($1)`,
    [tables],
  );
  const { rows } = await target.query<Reference>("select * from store_copy_references");
  for (const { table_name, name } of rows)
    await target.query(`alter table ${table_name} drop constraint ${quoted(name)}`);
  return 0;
}

interface Reference {
  readonly table_name: string;
  readonly name: string;
  readonly definition: string;
}

/** Puts the references back, which checks them, and lets numbers go on behind those that are there. */
async function end(source: BetterSqlite3.Database, target: Target, tables: readonly string[]): Promise<void> {
  await target.query("begin");
  const { rows: references } = await target.query<Reference>("select * from store_copy_references");
  for (const { table_name, name, definition } of references)
    await target.queryWhole(`alter table ${table_name} add constraint ${quoted(name)} ${definition}`);
  const { rows: numbered } = await target.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES' and table_name = any($1)`,
    [tables],
  );
  // By what SQLite has given, not by what is there: rows leave the outbox and the queue, and their numbers go on.
  const given = source.prepare<[string], number>("select seq from sqlite_sequence where name = ?").pluck();
  // As given: feeds end at the last number that a sequence says it gave (R-X288). One that gave none says so.
  for (const { table_name, column_name } of numbered)
    await target.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(last, 1), last > 0)
       from (select greatest(max(${quoted(column_name)}), $3::bigint) as last from ${quoted(table_name)}) as numbers`,
      [quoted(table_name), column_name, given.get(table_name) ?? 0],
    );
  await target.query("drop table store_copy, store_copy_references");
  await target.query(`delete from ${LEDGER} where owner = $1`, [UNFINISHED_COPY]);
  await target.query("commit");
}

/** The refusal of a target that is not empty. @param what it has. */
export const taken = (what: string): CannotStart =>
  new CannotStart(`The target has ${what}. Name a database that is empty. Nothing was changed.`);
