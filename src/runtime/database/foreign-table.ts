import { sql } from "kysely";
import { CannotStart } from "../basis/errors.ts";
import { type Database, isSqlite } from "./database.ts";

const LEDGER = "migration_ledger";
const LEDGER_COLUMNS = ["owner", "number", "name", "digest", "applied_at"];
const MAKES_TABLE = /^\s*create (?:unlogged )?table (?:if not exists )?(\w+)/;

/**
 * True when the store has a ledger of ours: the tables of its steps are ours then. Without one, no table may be there by a
 * name that a step will make. Reads only.
 * @param statements of the steps that may be taken.
 * @throws CannotStart naming a table of another program (R-X348).
 */
export async function hasLedger<T>(db: Database<T>, statements: readonly string[]): Promise<boolean> {
  const tables = await tablesOf(db);
  const ledger = tables.find(({ name }) => name === LEDGER);
  if (ledger !== undefined) {
    const names = new Set(ledger.columns.map(({ name }) => name));
    if (!LEDGER_COLUMNS.every((name) => names.has(name))) throw foreignTable(LEDGER);
    return true;
  }
  const made = new Set(statements.map((statement) => MAKES_TABLE.exec(statement)?.[1]));
  // Nobody else adds tables to our own file.
  const foreign = tables.find(({ name }) => isSqlite(db) || made.has(name));
  if (foreign !== undefined) throw foreignTable(foreign.name);
  return false;
}

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** Tables and views that are found by their names alone. */
async function tablesOf<T>(db: Database<T>): Promise<readonly Table[]> {
  const tables = await db.introspection.getTables();
  if (isSqlite(db)) return tables;
  const { rows } = await sql<{ readonly schema: string }>`select current_schema() as schema`.execute(db);
  return tables.filter(({ schema }) => schema === rows[0]?.schema);
}

const foreignTable = (name: string): CannotStart =>
  new CannotStart(
    `The store has a table ${name} that Gatehouse did not make: another program uses it. Give Gatehouse a database of its own.`,
  );
