import type { Dialect } from "./database.ts";

/** Column types and clauses that the two databases spell differently. */
export interface Spelling {
  /** Unix milliseconds. */
  readonly instant: string;
  readonly bytes: string;
  /** A whole number that fits 32 bits; flags are 0 and 1. */
  readonly integer: string;
  /** A whole number that may exceed 32 bits. */
  readonly long: string;
  /** The primary key of a table whose rows are numbered as they come. */
  readonly sequence: string;
  /** Precedes `table` where a crash of the database may lose the rows; writing them then does not wait for the disk. */
  readonly unlogged: string;
  /** Ends a `create table`. */
  readonly strict: string;
  /** The expression by which text is compared without regard to the case of A to Z. */
  readonly lowered: (column: string) => string;
  /** The expression of text in NFC. As it is where PostgreSQL does not know its encoding (SQL_ASCII). */
  readonly composed: (column: string) => string;
  /** Statements that only one of the two needs. */
  readonly onPostgres: (...statements: readonly string[]) => readonly string[];
  readonly onSqlite: (...statements: readonly string[]) => readonly string[];
  /** Statements that enforce a rule that no constraint can express. */
  guard(guard: Guard): readonly string[];
  /** Statements that end a guard of an earlier migration. */
  unguard(guard: Pick<Guard, "name" | "table">): readonly string[];
}

/** A rule of the store: it refuses every write of a row that meets a condition. */
interface Guard {
  /** Unique name of the trigger. */
  readonly name: string;
  readonly table: string;
  /** When the trigger runs, for example `update of tenant_id`. */
  readonly before: string;
  /** SQL condition about `new` and `old`; rows that meet it are refused. */
  readonly refuses: string;
  /** The database's error message; without quotes. Never shown to callers. */
  readonly saying: string;
}

/** The function of our own that SQLite has for `composed`: it has none. */
export const COMPOSE = "gatehouse_compose";

export const SPELLINGS: Readonly<Record<Dialect, Spelling>> = {
  sqlite: {
    instant: "integer",
    bytes: "blob",
    integer: "integer",
    long: "integer",
    sequence: "integer primary key autoincrement",
    unlogged: "",
    strict: "strict",
    lowered: (column) => `lower(${column})`,
    composed: (column) => `${COMPOSE}(${column})`,
    onPostgres: () => [],
    onSqlite: (...statements) => statements,
    guard: ({ name, table, before, refuses, saying }) => [
      `create trigger ${name} before ${before} on ${table} when ${refuses}
      begin select raise(abort, 'constraint ${name}: ${saying}'); end`,
    ],
    unguard: ({ name }) => [`drop trigger ${name}`],
  },
  postgres: {
    instant: "bigint",
    bytes: "bytea",
    integer: "integer",
    long: "bigint",
    sequence: "bigint generated always as identity primary key",
    unlogged: "unlogged",
    strict: "",
    lowered: (column) => `lower(${column} collate "C")`,
    composed: (column) => `case getdatabaseencoding() when 'UTF8' then normalize(${column}) else ${column} end`,
    onPostgres: (...statements) => statements,
    onSqlite: () => [],
    guard: ({ name, table, before, refuses, saying }) => [
      `create function ${name}() returns trigger language plpgsql as $$
      begin
        if ${refuses} then
          raise exception 'constraint ${name}: ${saying}' using errcode = 'check_violation', constraint = '${name}';
        end if;
        return new;
      end $$`,
      `create trigger ${name} before ${before} on ${table} for each row execute function ${name}()`,
    ],
    unguard: ({ name, table }) => [`drop trigger ${name} on ${table}`, `drop function ${name}()`],
  },
};
