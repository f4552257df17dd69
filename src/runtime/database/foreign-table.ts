import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import { type Database, isSqlite } from "./database.ts";

const LEDGER = "migration_ledger";
const LEDGER_COLUMNS = ["owner", "number", "name", "digest", "applied_at"];

/** What is in a store. */
interface StoreTables {
  /** True when its ledger of migrations is ours: all tables of its steps are ours then. */
  readonly hasLedger: boolean;
  /** Without it, each table and view that is there: another program made them, who may not show them to us. */
  readonly foreign: readonly string[];
  /** Those of them that no extension of PostgreSQL made: a server may have some in each new database. */
  readonly ofPrograms: readonly string[];
}

/** Looks at the file, or at PostgreSQL's schema in which our tables are, by one statement. */
export async function lookAtTables<T>(db: Database<T>): Promise<StoreTables> {
  const names = sql.join(LEDGER_COLUMNS);
  const { rows } = await (isSqlite(db)
    ? sql<TableRow>`
        select found.name as name, 0 as is_of_extension, (
          select count(*) from pragma_table_info(${LEDGER}) as ledger where ledger.name in (${names})
        ) as known
        from sqlite_schema as found where type in ('table', 'view') and found.name not glob 'sqlite_*' order by name`
    : sql<TableRow>`
        select relname as name, exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
        )::int as is_of_extension, (
          select count(*) from pg_attribute where attname in (${names}) and not attisdropped
            and attrelid = to_regclass(quote_ident(current_schema()) || '.' || ${LEDGER})
        ) as known
        from pg_class where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        order by relname`
  ).execute(db);
  const hasLedger = Number(rows[0]?.known ?? 0) === LEDGER_COLUMNS.length;
  const foreign = hasLedger ? [] : rows;
  return {
    hasLedger,
    foreign: foreign.map(({ name }) => name),
    ofPrograms: foreign.filter((row) => Number(row.is_of_extension) === 0).map(({ name }) => name),
  };
}

interface TableRow {
  readonly name: string;
  readonly is_of_extension: number;
  /** Columns of the ledger that are ours. */
  readonly known: number | string;
}

/**
 * Returns what is in the store when no other program's tables are in the way.
 * @param made names of the tables that steps may make.
 * @throws CannotStart naming a table of another program that has such a name, or, in our own file, any (R-X348).
 */
export async function assertOurTables<T>(db: Database<T>, made: readonly string[]): Promise<StoreTables> {
  const tables = await lookAtTables(db);
  const taken = new Set([LEDGER, ...made]);
  const inTheWay = tables.foreign.filter((name) => isSqlite(db) || taken.has(name));
  // Another program's ledger says most.
  const first = inTheWay.includes(LEDGER) ? LEDGER : inTheWay[0];
  if (first === undefined) return tables;
  throw new CannotStart(
    `The store has a table ${first} that Gatehouse did not make: another program uses it. Give Gatehouse a database of its own.`,
    { exitCode: 65 },
  );
}
