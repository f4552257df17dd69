import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import type { QueryResult, QueryResultRow } from "pg";
import { CannotStart } from "../basis/errors.ts";
import type { Deadlines } from "../database/deadlines.ts";
import { POSTGRES_LOCK, UNFINISHED_COPY } from "../database/migrations.ts";
import { connectionConfig, PostgresConnection } from "../database/postgres/postgres-connection.ts";

const ROWS_AT_ONCE = 500;
/** Of their values, as they are stored; PostgreSQL takes 256 MB in one value of jsonb, and reads bytes as text of twice their length. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;
const CONNECT_MS = 10_000;
/** Limits of the server's that a role may have, for requests; the copy has deadlines of its own. */
const LIMITS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"];
/** Its rows are written by the migrations of each store. */
const LEDGER = "migration_ledger";

/** A table that was copied and compared. */
interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Of all rows, whatever their order: the same on both sides. */
  readonly digest: string;
}

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

/** Asks the target; an answer that misses its deadline ends the connection (decision 0040). */
interface Target {
  /** What concerns one piece: as long as a transaction has. */
  query<R extends QueryResultRow>(statement: string, values?: unknown[]): Promise<QueryResult<R>>;
  /** What reads a whole table, to check its references: as long as a migration has. */
  queryWhole(statement: string): Promise<unknown>;
}

const targetOf = (connection: PostgresConnection, { transactionMs, migrationMs }: CopyOrder["deadlines"]): Target => ({
  query: <R extends QueryResultRow>(statement: string, values?: unknown[]) =>
    connection.within(transactionMs, connection.query<R>(statement, values)),
  queryWhole: (statement) => connection.within(migrationMs, connection.query(statement)),
});

type Cell = string | bigint | number | Buffer | null;
type Row = Readonly<Record<string, Cell>>;

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
    for (const table of tables) await copyTable(source, target, table);
    const copied: CopiedTable[] = [];
    for (const table of tables) copied.push(await compare(source, target, table));
    await end(source, target);
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

const quoted = (name: string): string => `"${name}"`;

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
 * Marks the target as unfinished, and takes its references between tables away until all rows are there.
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
  await target.query(`create table store_copy_references as
    select conrelid::regclass::text as table_name, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = quote_ident(current_schema())::regnamespace`);
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

/** One transaction for each piece: its rows, and how far the table came. */
async function copyTable(source: BetterSqlite3.Database, target: Target, table: string): Promise<void> {
  const key = keyOf(source, table);
  const columns = columnsOf(source, table).map(quoted).join(", ");
  const { rows } = await target.query<{ last_key: string }>("select last_key from store_copy where table_name = $1", [
    table,
  ]);
  let after = rows[0] === undefined ? undefined : parseKey(rows[0].last_key);
  for (;;) {
    const page = readPage(source, table, key, after);
    const last = page.at(-1);
    if (last === undefined) return;
    after = key.map((column) => last[column] ?? null);
    try {
      await target.query("begin");
      await target.query(
        `insert into ${quoted(table)} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${quoted(table)}, $1::jsonb)`,
        [JSON.stringify(page.map(toJson))],
      );
      await target.query(
        `insert into store_copy values ($1, $2, $3)
         on conflict (table_name) do update set last_key = $2, copied = store_copy.copied + $3`,
        [table, JSON.stringify(after.map(keyToJson)), page.length],
      );
      await target.query("commit");
    } catch (cause) {
      await target.query("rollback").catch(() => undefined);
      throw new CannotStart(
        `The copy stopped in ${table} (${(cause as Error).message}). The source is as it was. Mend that, and run the same command again: it goes on from there.`,
        { cause },
      );
    }
  }
}

/** The rows of one piece: so many, or so long, that one statement takes them. */
function readPage(
  source: BetterSqlite3.Database,
  table: string,
  key: readonly string[],
  after: readonly Cell[] | undefined,
): readonly Row[] {
  const columns = key.map(quoted).join(", ");
  const behind = after === undefined ? "" : `where (${columns}) > (${key.map(() => "?").join(", ")})`;
  const statement = source.prepare<unknown[], Row>(
    `select * from ${quoted(table)} ${behind} order by ${columns} limit ${ROWS_AT_ONCE}`,
  );
  const page: Row[] = [];
  let bytes = 0;
  for (const row of statement.iterate(...(after ?? []))) {
    page.push(row);
    bytes += Object.values(row).reduce<number>((sum, cell) => sum + lengthOf(cell), 0);
    if (bytes >= BYTES_AT_ONCE) break;
  }
  return page;
}

/** Numbers are short. */
const lengthOf = (cell: Cell): number => (typeof cell === "string" || Buffer.isBuffer(cell) ? cell.length : 0);

interface ColumnInfo {
  readonly name: string;
  readonly pk: bigint | number;
}

const infoOf = (source: BetterSqlite3.Database, table: string): readonly ColumnInfo[] =>
  source.pragma(`table_info(${quoted(table)})`) as readonly ColumnInfo[];

const columnsOf = (source: BetterSqlite3.Database, table: string): readonly string[] =>
  infoOf(source, table).map(({ name }) => name);

const keyOf = (source: BetterSqlite3.Database, table: string): readonly string[] =>
  infoOf(source, table)
    .filter(({ pk }) => Number(pk) > 0)
    .toSorted((one, other) => Number(one.pk) - Number(other.pk))
    .map(({ name }) => name);

/** Numbers become texts, which PostgreSQL reads as numbers of any length; bytes its hexadecimal form. */
const toJson = (row: Row): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? null : textOf(cell)]));

const textOf = (cell: Exclude<Cell, null>): string =>
  Buffer.isBuffer(cell) ? `\\x${cell.toString("hex")}` : String(cell);

/** A cell of a key with its kind, so that it compares as it did. */
const keyToJson = (cell: Cell): readonly [string, string] =>
  Buffer.isBuffer(cell)
    ? ["bytes", cell.toString("hex")]
    : typeof cell === "string"
      ? ["text", cell]
      : ["number", String(cell)];

const parseKey = (text: string): readonly Cell[] =>
  (JSON.parse(text) as readonly (readonly [string, string])[]).map(([kind, value]) =>
    kind === "bytes" ? Buffer.from(value, "hex") : kind === "number" ? BigInt(value) : value,
  );

/** @throws CannotStart when the two sides differ. */
async function compare(source: BetterSqlite3.Database, target: Target, table: string): Promise<CopiedTable> {
  const columns = columnsOf(source, table);
  const here = new RowsDigest(columns);
  for (const row of source.prepare<[], Row>(`select * from ${quoted(table)}`).iterate()) here.add(row);
  const there = new RowsDigest(columns);
  await target.query("begin isolation level repeatable read read only");
  await target.query(`declare rows_of_copy no scroll cursor for select * from ${quoted(table)}`);
  for (;;) {
    const { rows } = await target.query<Record<string, Cell>>(`fetch ${ROWS_AT_ONCE} from rows_of_copy`);
    if (rows.length === 0) break;
    for (const row of rows) there.add(row);
  }
  await target.query("rollback");
  if (here.rows !== there.rows || here.digest !== there.digest)
    throw new CannotStart(
      `The copy of ${table} differs from its source: ${there.rows} rows, and ${here.rows} in the source. Drop the database, and copy again.`,
    );
  return { table, rows: here.rows, digest: here.digest };
}

const MODULUS = 1n << 256n;

/** A digest of rows that does not depend on their order: the sum of each row's. */
class RowsDigest {
  rows = 0;
  #sum = 0n;
  readonly #columns: readonly string[];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(row: Row): void {
    const cells = this.#columns.map((name) => {
      const cell = row[name] ?? null;
      return cell === null ? null : textOf(cell);
    });
    const digest = createHash("sha256").update(JSON.stringify(cells)).digest("hex");
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS;
    this.rows++;
  }

  get digest(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }
}

/** Puts the references back, which checks them, and lets numbers go on behind those that are there. */
async function end(source: BetterSqlite3.Database, target: Target): Promise<void> {
  await target.query("begin");
  const { rows: references } = await target.query<Reference>("select * from store_copy_references");
  for (const { table_name, name, definition } of references)
    await target.queryWhole(`alter table ${table_name} add constraint ${quoted(name)} ${definition}`);
  const { rows: numbered } = await target.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
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
