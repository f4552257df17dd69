import type BetterSqlite3 from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";

/** A statement and its values. */
export type Query = Pick<CompiledQuery, "sql" | "parameters">;

const STATEMENTS_CACHED_MAX = 1_000;

/** A statement with what is known of it: asking better-sqlite3 each time takes as long as binding a value. */
interface PreparedStatement {
  readonly statement: BetterSqlite3.Statement<unknown[], unknown>;
  /** True when it returns rows. */
  readonly returnsRows: boolean;
  /** True when it changes nothing. */
  readonly readsOnly: boolean;
  /** True when it changes more than rows, which SQLite does not count: tables and indexes. */
  readonly changesSchema: boolean;
}

/**
 * What SQLite counts changed rows of. It does not count what a trigger writes before `raise(ignore)`, nor instead of a row of
 * a view: the schema has neither.
 */
const CHANGES_ROWS = /^\s*(insert|update|delete|replace|with)\b/i;

/** A handle with its prepared statements. */
export class PreparedHandle {
  readonly handle: BetterSqlite3.Database;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(handle: BetterSqlite3.Database) {
    this.handle = handle;
  }

  prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.handle.prepare<unknown[], unknown>(sql);
    const { reader: returnsRows, readonly: readsOnly } = statement;
    const prepared = { statement, returnsRows, readsOnly, changesSchema: !readsOnly && !CHANGES_ROWS.test(sql) };
    // Statements with lists of varying length could fill the memory; starting over is rare and cheap.
    if (this.#statements.size >= STATEMENTS_CACHED_MAX) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Runs one without values that returns no rows, for example `begin`. */
  runPlain(sql: string): void {
    this.prepare(sql).statement.run();
  }

  /** `wrote` when something was changed. */
  run<R>(query: Query): QueryResult<R> & { readonly wrote: boolean } {
    const { statement, returnsRows, readsOnly, changesSchema } = this.prepare(query.sql);
    if (returnsRows) {
      const rows = statement.all(...query.parameters) as R[];
      return { rows, wrote: changesSchema || (rows.length > 0 && !readsOnly) };
    }
    const { changes, lastInsertRowid } = statement.run(...query.parameters);
    const insertId = BigInt(lastInsertRowid);
    return { rows: [], numAffectedRows: BigInt(changes), insertId, wrote: changesSchema || changes > 0 };
  }
}
