import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { StartRefused } from "../basis/errors.ts";
import type { Dialect, Store } from "./database.ts";

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
  /** Ends a `create table`. */
  readonly strict: string;
  /** Statements that only one of the two needs. */
  readonly onPostgres: (...statements: readonly string[]) => readonly string[];
  /** What makes the database refuse an update of a row. */
  guard(guard: UpdateGuard): readonly string[];
}

/** An update that the database refuses, whatever sent it. */
export interface UpdateGuard {
  /** Of the trigger; tells in the database's error which guard it was. */
  readonly name: string;
  readonly table: string;
  /** Looked at only when one of these is set. */
  readonly columns: readonly string[];
  /** Over the row as it was, `old`, and as it would be, `new`, in words that both databases know. */
  readonly refuses: string;
}

const SPELLINGS: Readonly<Record<Dialect, Spelling>> = {
  sqlite: {
    instant: "integer",
    bytes: "blob",
    integer: "integer",
    long: "integer",
    sequence: "integer primary key autoincrement",
    strict: "strict",
    onPostgres: () => [],
    guard: ({ name, table, columns, refuses }) => [
      `create trigger ${name} before update of ${columns.join(", ")} on ${table} for each row when ${refuses}
      begin select raise(abort, 'violates constraint ${name}'); end`,
    ],
  },
  postgres: {
    instant: "bigint",
    bytes: "bytea",
    integer: "integer",
    long: "bigint",
    sequence: "bigint generated always as identity primary key",
    strict: "",
    onPostgres: (...statements) => statements,
    guard: ({ name, table, columns, refuses }) => [
      `create function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'violates constraint ${name}' using errcode = 'check_violation'; end $$`,
      `create trigger ${name} before update of ${columns.join(", ")} on ${table} for each row when (${refuses})
      execute function ${name}()`,
    ],
  },
};

/** One step of one owner's tables, forward only. Its statements may never change once released: the ledger keeps their digest. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  statements(spelling: Spelling): readonly string[];
}

/** The migrations of runtime or of one domain, numbered 1, 2, 3 … */
export interface MigrationSet {
  readonly owner: string;
  readonly migrations: readonly Migration[];
}

interface LedgerRow {
  readonly owner: string;
  readonly number: number;
  readonly digest: string;
}

interface LedgerTables {
  migration_ledger: LedgerRow & { readonly name: string; readonly applied_at: number };
}

/** Any constant does; it keeps two starting processes from migrating at once. */
const POSTGRES_LOCK = 4_707_112;

/** The same whichever database is in use, so that a store can be compared with the program. */
function digestOf(migration: Migration): string {
  const statements = [migration.statements(SPELLINGS.sqlite), migration.statements(SPELLINGS.postgres)];
  return createHash("sha256").update(JSON.stringify(statements)).digest("hex");
}

/**
 * Brings the store to the program's level, all owners in one transaction, and returns how many steps were taken.
 * @throws StartRefused when the store holds a step that the program does not know (it is newer) or knows differently.
 */
export async function migrate(store: Store, sets: readonly MigrationSet[], now: Date): Promise<number> {
  const db = store.view<LedgerTables>();
  const spelling = SPELLINGS[store.dialect];
  return db.transaction().execute(async (tx) => {
    if (store.dialect === "postgres") await sql`select pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(tx);
    await createLedger(tx, spelling);
    const applied = await tx.selectFrom("migration_ledger").select(["owner", "number", "digest"]).execute();
    assertKnown(applied, sets);
    let steps = 0;
    for (const { owner, migrations } of sets) {
      for (const migration of migrations) {
        if (applied.some((row) => row.owner === owner && row.number === migration.number)) continue;
        for (const statement of migration.statements(spelling)) await sql.raw(statement).execute(tx);
        const { number, name } = migration;
        await tx
          .insertInto("migration_ledger")
          .values({ owner, number, name, digest: digestOf(migration), applied_at: now.getTime() })
          .execute();
        steps++;
      }
    }
    return steps;
  });
}

async function createLedger(tx: Kysely<LedgerTables>, { instant, integer, strict }: Spelling): Promise<void> {
  await sql
    .raw(
      `create table if not exists migration_ledger (
        owner text not null,
        number ${integer} not null,
        name text not null,
        digest text not null,
        applied_at ${instant} not null,
        primary key (owner, number)
      ) ${strict}`,
    )
    .execute(tx);
}

function assertKnown(applied: readonly LedgerRow[], sets: readonly MigrationSet[]): void {
  for (const row of applied) {
    const known = sets.find(({ owner }) => owner === row.owner)?.migrations.find(({ number }) => number === row.number);
    if (known === undefined) {
      throw new StartRefused(
        `The store is newer than this program: it holds migration ${row.number} of ${row.owner}. Start the newer program, or restore a backup.`,
      );
    }
    if (digestOf(known) !== row.digest) {
      throw new StartRefused(
        `Migration ${row.number} of ${row.owner} in the store differs from this program's. Start the program that made the store.`,
      );
    }
  }
}
