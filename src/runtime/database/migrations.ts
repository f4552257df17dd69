import { hash } from "node:crypto";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { CannotStart, Failure } from "../basis/errors.ts";
import { runAlone } from "../basis/inside-change.ts";
import {
  exitCodeOf,
  STORE_TROUBLE_CURES,
  STORE_TROUBLE_TEXTS,
  type StoreTrouble,
  WRITABLE_POSTGRES,
} from "../basis/store-troubles.ts";
import { isLockTimeout, isRetryable, type Store } from "./database.ts";
import { runFor } from "./deadlines.ts";
import { assertOurTables } from "./foreign-table.ts";
import { SPELLINGS, type Spelling } from "./spelling.ts";
import { assertTablesOwned } from "./table-owner.ts";

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

/**
 * An arbitrary constant: the advisory lock that prevents two starting processes from migrating at once, and one from
 * starting while a copy or, after a recovery, an epoch is begun.
 */
export const POSTGRES_LOCK = 4_707_112;

/** Of a migration's statements for both databases, so that any store can be compared with the program. */
export function digestOf(migration: Migration): string {
  const statements = [migration.statements(SPELLINGS.sqlite), migration.statements(SPELLINGS.postgres)];
  return hash("sha256", JSON.stringify(statements), "hex");
}

/**
 * As long may a step wait for a table: whatever else wants the table waits behind it. Shorter than the second after which
 * PostgreSQL looks for deadlocks, so that the step gives up and not the request.
 */
const LOCK_WAIT_MS = 500;
/** Between two tries of a step, requests go on. */
const PAUSE_MS = 250;
/** Of one step; some five minutes, so that an export may end. */
const TRIES = 240;

/**
 * Brings the store to the program's level, all owners in one transaction, and returns how many steps were taken. When
 * that meets requests of an earlier program, which may serve meanwhile on PostgreSQL, it is undone, and each step
 * becomes a transaction, repeated until it meets none (R-X334).
 * @throws CannotStart when the store accepts no writes, has a step that this program does not have (the store is
 * newer) or has differently, or has tables of another program (R-X348) or of another role (R-X428).
 */
export async function migrate(store: Store, sets: readonly MigrationSet[], now: Date): Promise<number> {
  try {
    const tables = tablesOf(store, sets);
    await assertOurTables(store.view(), tables);
    if (store.dialect === "postgres") await assertTablesOwned(store.view(), tables);
    return await takeSteps(store, sets, now);
  } catch (cause) {
    const { trouble } = store.health;
    const refusal = missingRight(cause);
    if (refusal !== undefined)
      throw new CannotStart(
        `The role of store-url may not make or change tables in this database (${refusal}). Make it the owner of the database and of its tables; for new tables alone, run as the owner: grant create on schema ${await currentSchema(store)} to <role>`,
        { cause },
      );
    if (!(cause instanceof Failure)) throw cause;
    const why =
      trouble === undefined ? tookTooLong(cause) : `${STORE_TROUBLE_TEXTS[trouble]}. ${cureOf(trouble, store)}`;
    if (why === undefined) throw cause;
    throw new CannotStart(`The store cannot be brought to this program's level: ${why}`, {
      exitCode: exitCodeOf(trouble),
      cause,
    });
  }
}

const cureOf = (trouble: StoreTrouble, { dialect }: Store): string => {
  const isPostgres = dialect === "postgres" && trouble === "read_only";
  return `${isPostgres ? WRITABLE_POSTGRES : STORE_TROUBLE_CURES[trouble]}. Then start again.`;
};

/** PostgreSQL's query_canceled, by its statement_timeout, and our own deadline of a transaction. */
const ENDED_AS_TOO_LONG: readonly unknown[] = ["57014", "ETIMEDOUT"];

/** What took too long, which is no trouble of the store; `undefined` when something else failed. */
function tookTooLong(failure: Failure): string | undefined {
  if (isLockTimeout(failure))
    return "other programs use its tables without a pause. Stop them, or start again when they have less to do.";
  return ENDED_AS_TOO_LONG.includes((failure.cause as NodeJS.ErrnoException | undefined)?.code)
    ? "it takes longer than store-migration-timeout-ms. Raise that and start again."
    : undefined;
}

/** Of PostgreSQL, as a statement names it. */
async function currentSchema(store: Store): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`select quote_ident(current_schema()) as name`.execute(
    store.view(),
  );
  return rows[0]?.name ?? "<schema>";
}

/** PostgreSQL's insufficient_privilege. From version 15 a role that does not own its database may make no tables in it. */
function missingRight(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return (error as NodeJS.ErrnoException).code === "42501" ? error.message : missingRight(error.cause);
}

async function takeSteps(store: Store, sets: readonly MigrationSet[], now: Date): Promise<number> {
  const db = store.view<LedgerTables>();
  const spelling = SPELLINGS[store.dialect];
  const transaction = db.transaction();
  const take = (stepsMax: number) =>
    runFor("migration", () => runAlone(() => transaction.execute((tx) => apply(tx, stepsMax))));
  let { taken, left } = await take(Number.POSITIVE_INFINITY).catch((error: unknown) => {
    // Of the embedded store there is no other program.
    if (store.dialect === "sqlite" || !hasMetOthers(error)) throw error;
    return { taken: 0, left: 1 };
  });
  while (left > 0) {
    const step = await patiently(() => take(1));
    taken += step.taken;
    left = step.left;
  }
  return taken;

  async function apply(tx: Transaction<LedgerTables>, stepsMax: number) {
    if (store.dialect === "postgres") await sql`select pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(tx);
    await createLedger(tx, spelling);
    const applied = await readLedger(tx);
    assertKnown(applied, sets);
    const pending = sets.flatMap(({ owner, migrations }) =>
      migrations
        .filter(({ number }) => !applied.some((row) => row.owner === owner && row.number === number))
        .map((migration) => ({ owner, migration })),
    );
    if (store.dialect === "postgres")
      await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(tx);
    const steps = pending.slice(0, stepsMax);
    for (const { owner, migration } of steps) {
      for (const statement of migration.statements(spelling)) {
        await sql.raw(statement).execute(tx);
        // Statements of the embedded store are run on this thread: without a turn, no signal would be heard before the last.
        await turn();
      }
      const { number, name } = migration;
      await tx
        .insertInto("migration_ledger")
        .values({ owner, number, name, digest: digestOf(migration), applied_at: now.getTime() })
        .execute();
    }
    return { taken: steps.length, left: pending.length - steps.length };
  }
}

const MAKES_TABLE = /^\s*create\s+(?:unlogged\s+)?table\s+(\w+)/;

/** The tables that steps make. */
const tablesOf = ({ dialect }: Store, sets: readonly MigrationSet[]): readonly string[] =>
  sets
    .flatMap(({ migrations }) => migrations.flatMap((migration) => migration.statements(SPELLINGS[dialect])))
    .flatMap((statement) => MAKES_TABLE.exec(statement)?.[1] ?? []);

const readLedger = (db: Kysely<LedgerTables>): Promise<LedgerRow[]> =>
  db.selectFrom("migration_ledger").select(["owner", "number", "digest"]).execute();

/** Repeats a step that met others. */
async function patiently<T>(step: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await step();
    } catch (error) {
      if (tried === TRIES || !hasMetOthers(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** True of a deadlock with requests of others, and of a table that they use for long. */
const hasMetOthers = (error: unknown): boolean => isRetryable(error) || isLockTimeout(error);

/** A step that a store does not have yet. */
export interface PendingStep {
  readonly owner: string;
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * The steps that `migrate` would take; reads only.
 * @throws CannotStart as `migrate` does, for a store that is newer or differs, or whose ledger is another program's.
 */
export async function pendingSteps(store: Store, sets: readonly MigrationSet[]): Promise<readonly PendingStep[]> {
  const db = store.view<LedgerTables>();
  const { hasLedger } = await assertOurTables(db, tablesOf(store, sets));
  const applied = hasLedger ? await readLedger(db) : [];
  assertKnown(applied, sets);
  return sets.flatMap(({ owner, migrations }) =>
    migrations
      .filter(({ number }) => !applied.some((row) => row.owner === owner && row.number === number))
      .map((migration) => ({
        owner,
        number: migration.number,
        name: migration.name,
        statements: migration.statements(SPELLINGS[store.dialect]),
      })),
  );
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

/** Owner of the ledger's row in a store that is being copied into: no program starts with it. */
export const UNFINISHED_COPY = "unfinished copy";

/** True for a store that is being copied into. @throws CannotStart when its ledger is another program's. */
export async function isUnfinishedCopy(store: Store): Promise<boolean> {
  const db = store.view<LedgerTables>();
  const { hasLedger } = await assertOurTables(db, []);
  return hasLedger && (await readLedger(db)).some(({ owner }) => owner === UNFINISHED_COPY);
}

function assertKnown(applied: readonly LedgerRow[], sets: readonly MigrationSet[]): void {
  for (const row of applied) {
    if (row.owner === UNFINISHED_COPY)
      throw new CannotStart(
        "A copy into this store is not finished. Run the same “gatehouse store copy” again; it goes on where it was.",
      );
    const known = sets.find(({ owner }) => owner === row.owner)?.migrations.find(({ number }) => number === row.number);
    if (known === undefined) {
      throw new CannotStart(
        `The store is newer than this program: it holds migration ${row.number} of ${row.owner}. Start the newer program, or restore a backup.`,
        { exitCode: 65 },
      );
    }
    if (digestOf(known) !== row.digest) {
      throw new CannotStart(
        `Migration ${row.number} of ${row.owner} in the store differs from this program's. Start the program that made the store.`,
        { exitCode: 65 },
      );
    }
  }
}
