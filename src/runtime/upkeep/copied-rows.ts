import { hash } from "node:crypto";
import type BetterSqlite3 from "better-sqlite3";
import type { QueryResult, QueryResultRow } from "pg";
import { CannotStart } from "../basis/errors.ts";

const ROWS_AT_ONCE = 500;
/** Of their values, as they are stored; PostgreSQL takes 256 MB in one value of jsonb, and reads bytes as text of twice their length. */
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/** A table that was copied and compared. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/** Asks the target; an answer that misses its deadline ends the connection (decision 0040). */
export interface Target {
  /** What concerns one piece: as long as a transaction has. */
  query<R extends QueryResultRow>(statement: string, values?: unknown[]): Promise<QueryResult<R>>;
  /** What reads a whole table, to check its references: as long as a migration has. */
  queryWhole(statement: string): Promise<unknown>;
}

type Cell = string | bigint | number | Buffer | null;
type Row = Readonly<Record<string, Cell>>;

/** A name of a table, column or constraint, as both databases read it. */
export const quoted = (name: string): string => `"${name}"`;

/**
 * Copies the rows that `store_copy` does not count yet. One transaction for each piece: its rows, and how far the table
 * came.
 */
export async function copyRows(source: BetterSqlite3.Database, target: Target, table: string): Promise<void> {
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

/** Compares all rows of a table on both sides. @throws CannotStart when they differ. */
export async function compareRows(source: BetterSqlite3.Database, target: Target, table: string): Promise<CopiedTable> {
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
  return { table, rows: here.rows };
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
    const digest = hash("sha256", JSON.stringify(cells), "hex");
    this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS;
    this.rows++;
  }

  get digest(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }
}
