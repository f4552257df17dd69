import { sql } from "kysely";
import { removeIfPossible } from "../basis/durable-file.ts";
import { CannotStart } from "../basis/errors.ts";
import type { Store } from "../database/database.ts";
import { type MigrationSet, migrate, type PendingStep, pendingSteps } from "../database/migrations.ts";
import { openSqlite } from "../database/sqlite/sqlite.ts";
import { createPrivately } from "../database/sqlite/store-lock.ts";
import { diskTroubleOf } from "../database/store-trouble.ts";
import { checkCopy } from "./copy-check.ts";
import { filesOfCopy } from "./left-copies.ts";
import { onThread } from "./store-thread.ts";

/** What an upgrade does to a store, and how long it takes. */
export interface MigrationPlan {
  readonly steps: readonly PendingStep[];
  /** Milliseconds; measured, or estimated from the sizes of tables. */
  readonly ms: number;
  readonly isMeasured: boolean;
}

/** A modest disk: how many bytes a second PostgreSQL reads of a table and writes of an index. */
const BYTES_PER_SECOND = 20_000_000;

/**
 * Migrates a copy of the embedded store and measures it. The store itself is only read, and may be in use.
 * @param draft where the copy is put, a path of this plan alone; removed afterwards.
 * @param signal ends what looks at the copy from elsewhere, before a command that was interrupted removes it.
 */
export async function planEmbedded(
  storePath: string,
  draft: string,
  {
    sets,
    now,
    signal,
  }: { readonly sets: readonly MigrationSet[]; readonly now: () => Date; readonly signal: AbortSignal },
): Promise<MigrationPlan> {
  try {
    createPrivately(draft);
    const { rows } = await onThread({ task: "copy", store: storePath, to: draft }, signal);
    await checkCopy(draft, rows, signal);
    const store = openSqlite(draft);
    try {
      const steps = await pendingSteps(store, sets);
      const beganAt = performance.now();
      await migrate(store, sets, now());
      return { steps, ms: performance.now() - beganAt, isMeasured: true };
    } finally {
      await store.close();
    }
  } finally {
    removeIfPossible(...filesOfCopy(draft));
  }
}

/** A plan that found no space: the store itself may have enough. Any other failure is returned as it is. */
export const planFailure = (error: unknown, directory: string): unknown =>
  diskTroubleOf(error) === "full"
    ? new CannotStart(
        `The plan was not made: the copy of the store in ${directory}, on which it tries the steps, needs more space than there is. Free space on the disk and run it again; without --plan the store is migrated in place and needs less. Nothing was changed.`,
        { cause: error },
      )
    : error;

/** On PostgreSQL nothing is tried out: each statement that reads or writes a whole table takes as long as its size. */
export async function planPostgres(store: Store, sets: readonly MigrationSet[]): Promise<MigrationPlan> {
  const steps = await pendingSteps(store, sets);
  const { rows } = await sql<{ readonly table: string; readonly bytes: string }>`
    select relname as "table", pg_table_size(relid) as bytes from pg_stat_user_tables
    where schemaname = current_schema()`.execute(store.view());
  const bytes = new Map(rows.map((row) => [row.table, Number(row.bytes)]));
  const whole = steps
    .flatMap(({ statements }) => statements)
    .flatMap((statement) => readsWhole(statement))
    .reduce((sum, table) => sum + (bytes.get(table) ?? 0), 0);
  return { steps, ms: (whole / BYTES_PER_SECOND) * 1_000, isMeasured: false };
}

/** Tables that a statement reads or writes as a whole; adding a column with a constant reads none. */
const readsWhole = (statement: string): readonly string[] =>
  [...statement.matchAll(/(?:create (?:unique )?index \w+ on|update|delete from|from|join) (\w+)/gi)]
    .map(([, table = ""]) => table)
    .filter((table, index, all) => all.indexOf(table) === index);
