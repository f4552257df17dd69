import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "#runtime/basis/clock.ts";
import { removeIfPossible } from "#runtime/basis/durable-file.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import type { Store } from "#runtime/database/database.ts";
import { lookAtTables } from "#runtime/database/foreign-table.ts";
import { isUnfinishedCopy, migrate, pendingSteps } from "#runtime/database/migrations.ts";
import { isPostgresUrl } from "#runtime/database/settings.ts";
import { openSqliteToRead } from "#runtime/database/sqlite/sqlite.ts";
import { assertNoBackup, assertWholeStore, removeEmptyLog, storePath } from "#runtime/database/sqlite/store-file.ts";
import { lockStore } from "#runtime/database/sqlite/store-lock.ts";
import { beforeEndingBySignal } from "#runtime/process/lifecycle.ts";
import { createSealer, type Sealer } from "#runtime/sealing/sealing.ts";
import { filesOfCopy, newPlanningPath, removeLeftPlans } from "#runtime/upkeep/left-copies.ts";
import { type MigrationPlan, planEmbedded, planFailure, planPostgres } from "#runtime/upkeep/migration-plan.ts";
import { copyStore, taken } from "#runtime/upkeep/store-copy.ts";
import { findIdentity, type IdentityTables } from "#runtime/upkeep/store-identity.ts";
import { assertOurs } from "#runtime/upkeep/store-proof.ts";
import type { Config } from "../../config.ts";
import { deadlinesOf, masterKeysOf } from "../opened-store.ts";
import { migrations, SEALED } from "../owners.ts";
import {
  type Answer,
  assertStore,
  assertTargetUnused,
  assertUnused,
  type CommandFlags,
  logLines,
  usage,
  withEmbedded,
  withPostgres,
} from "./store-alone.ts";

/**
 * Brings the store to this program's level, as a start does; with `--plan` only says what that would do and how long it
 * would take.
 */
export async function migrateStore(config: Config, _: string | undefined, flags: CommandFlags): Promise<Answer> {
  const now = () => systemClock.now();
  const directory = config["data-directory"];
  const url = config["store-url"];
  if (url === undefined) {
    assertStore(directory);
    if (flags.plan) return planInDirectory(directory, now);
    const done = await withEmbedded(directory, async (store) =>
      describeMigrated(await interruptibly(() => migrate(store, migrations, now()))),
    );
    return { ...done, lines: [...done.lines, ...logLines(directory)] };
  }
  return withPostgres(url, config, async (store) => {
    if (flags.plan) return describePlan(await planPostgres(store, migrations));
    return describeMigrated(await interruptibly(() => migrate(store, migrations, now())));
  });
}

const MIGRATION_INTERRUPTED =
  "gatehouse: Interrupted. A step that was under way is undone; the same command goes on.\n";

/** A signal ends the steps, after the statement under way on the embedded store; the database undoes what is not committed. */
async function interruptibly<T>(steps: () => Promise<T>): Promise<T> {
  const stopListening = beforeEndingBySignal(() => void process.stderr.write(MIGRATION_INTERRUPTED));
  try {
    return await steps();
  } finally {
    stopListening();
  }
}

/**
 * The store may be in use: then its files are another program's, and nothing of them is touched. A signal ends the plan
 * without a trace, at once or after the statement that is tried out.
 */
async function planInDirectory(directory: string, now: () => Date): Promise<Answer> {
  const path = storePath(directory);
  const draft = newPlanningPath(directory, systemRandom);
  const lock = lockUnlessUsed(directory);
  const tidyLog = () => {
    if (lock !== undefined) removeEmptyLog(directory);
  };
  const ending = new AbortController();
  const stopListening = beforeEndingBySignal(() => {
    ending.abort();
    removeIfPossible(...filesOfCopy(draft));
    tidyLog();
  });
  try {
    removeLeftPlans(directory, now());
    const { signal } = ending;
    const plan = planEmbedded(path, draft, { sets: migrations, now, signal }).catch((error: unknown) => {
      throw planFailure(error, directory);
    });
    return describePlan(await plan);
  } finally {
    stopListening();
    tidyLog();
    lock?.release();
  }
}

function lockUnlessUsed(directory: string): ReturnType<typeof lockStore> | undefined {
  try {
    return lockStore(directory);
  } catch {
    return undefined;
  }
}

const COPY_INTERRUPTED =
  "gatehouse: Interrupted. The source is as it was; the same command goes on with what was copied.\n";

/**
 * Moves a whole installation from the embedded store to a PostgreSQL (R-X253): that of `--to`, or of the setting
 * store-url, which may be a file and so keeps the password out of the list of processes. A signal ends it, and the same
 * command goes on.
 */
export async function copyToPostgres(config: Config, _: string | undefined, flags: CommandFlags): Promise<Answer> {
  const to = flags.to ?? config["store-url"];
  if (to === undefined) throw usage("copy --store-url-file <path>");
  // The text itself has a password.
  if (!isPostgresUrl(to))
    throw new CannotStart(
      "--to must be a postgresql:// URL of one host. In a name or a password write # as %23, / as %2F and @ as %40.",
      { exitCode: 78 },
    );
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  const leave = () => {
    removeEmptyLog(directory);
    lock.release();
  };
  const stopListening = beforeEndingBySignal(() => {
    leave();
    process.stderr.write(COPY_INTERRUPTED);
  });
  try {
    assertWholeStore(directory);
    const storeId = await readyToCopy(
      storePath(directory),
      createSealer(masterKeysOf(config, { mayMake: false }), systemRandom),
    );
    const own = await makeTables(to, config);
    const { tables, resumed } = await copyStore({
      from: storePath(directory),
      to,
      storeId,
      deadlines: deadlinesOf(config),
      assertUnused: assertTargetUnused(own),
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { storeId, tables, resumed },
      lines: [
        ["copied", `${rows} rows in ${tables.length} tables; counts and digests are the same on both sides`],
        ...(resumed === 0 ? [] : [["resumed", `${resumed} rows were there from an earlier run`] as const]),
        ["keep", `the master key: give a copy of ${join(directory, "master.key")} by master-keys-file`],
        ["source", "is as it was. Never start it again beside the copy"],
      ],
      next: ({ serve }) =>
        `${flags.to === undefined ? serve : "gatehouse serve --store-url-file <path>"}, with --master-keys-file <path> and the same issuer`,
    };
  } finally {
    stopListening();
    leave();
  }
}

/**
 * @throws CannotStart when the store is a backup, is not at the program's level, or is sealed with another master key.
 */
async function readyToCopy(path: string, sealer: Sealer): Promise<string> {
  const store = openSqliteToRead(path);
  try {
    assertNoBackup(path);
    const steps = await pendingSteps(store, migrations);
    if (steps.length > 0)
      throw new CannotStart("The store is older than this program. Run first:", { command: "gatehouse store migrate" });
    const db = store.view<IdentityTables>();
    await assertOurs(db, sealer, SEALED);
    // A store that was migrated and never started gets its identity where it starts.
    return (await findIdentity(db))?.storeId ?? "none";
  } finally {
    await store.close();
  }
}

/**
 * An unfinished copy has its tables already.
 * @returns the server's process for the connection that was used.
 */
async function makeTables(url: string, config: Config): Promise<number> {
  return withPostgres(url, config, async (store) => {
    await assertUnused(store);
    await assertNoTablesOfOthers(store);
    if (!(await isUnfinishedCopy(store))) await migrate(store, migrations, systemClock.now());
    const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(store.view());
    return rows[0]?.pid ?? 0;
  });
}

/** A copy wants a store without any, whatever they are called; those of extensions do not count. */
async function assertNoTablesOfOthers(store: Store): Promise<void> {
  const [first] = (await lookAtTables(store.view())).ofPrograms;
  if (first !== undefined) throw taken(`a table ${first}, which is not Gatehouse's`);
}

const describeMigrated = (steps: number): Answer => ({
  json: { steps },
  lines: [["migrated", steps === 0 ? "nothing to do: the store is at this program's level" : `${steps} steps`]],
  next: ({ serve }) => serve,
});

const BACKUP = "gatehouse store backup <file>";
const BACKUP_OF_POSTGRES = "a backup with PostgreSQL's own tools (docs/operations/backup-and-restore.md)";

function describePlan({ steps, ms, isMeasured }: MigrationPlan): Answer {
  const seconds = Math.ceil(ms / 1_000);
  const howLong = isMeasured
    ? `about ${seconds} s, as measured on a copy`
    : `about ${seconds} s, by the sizes of tables`;
  return {
    json: {
      steps: steps.map(({ owner, number, name }) => ({ owner, number, name })),
      seconds,
      isMeasured,
    },
    lines:
      steps.length === 0
        ? [["plan", "nothing to do: the store is at this program's level"]]
        : [
            ["plan", `${steps.length} steps, ${howLong}; nothing was changed`],
            ...steps.map(({ owner, number, name }) => [`${owner} ${number}`, name] as const),
          ],
    next: ({ serve }) =>
      steps.length === 0 ? serve : `${isMeasured ? BACKUP : BACKUP_OF_POSTGRES}, then start this program`,
  };
}
