import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "#runtime/basis/clock.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { isUnfinishedCopy, migrate, pendingSteps } from "#runtime/database/migrations.ts";
import { openPostgres } from "#runtime/database/postgres.ts";
import { openSqlite, openSqliteToRead } from "#runtime/database/sqlite.ts";
import {
  assertWholeStore,
  markStoreClosed,
  markStoreOpen,
  prepareStoreFile,
  removeEmptyLog,
  replaceStoreFile,
  storePath,
} from "#runtime/database/store-file.ts";
import { lockStore } from "#runtime/database/store-lock.ts";
import { actorOf } from "#runtime/rpc/call.ts";
import { createSealer, type Sealer } from "#runtime/sealing/sealing.ts";
import { type MigrationPlan, planEmbedded, planPostgres } from "#runtime/upkeep/migration-plan.ts";
import { actionsAfter, readPresentStore, stageBackup } from "#runtime/upkeep/staged-backup.ts";
import { copyStore } from "#runtime/upkeep/store-copy.ts";
import {
  assertOurs,
  beginEpoch,
  findIdentity,
  type IdentityTables,
  identifyStore,
} from "#runtime/upkeep/store-identity.ts";
import { createWake } from "#runtime/wake/wake.ts";
import type { Config } from "../config.ts";
import { restoredRepository } from "../sign-on/services.ts";
import { webhooksRestored } from "../webhooks/services.ts";
import { deadlinesOf, masterKeysOf, migrations } from "./services.ts";

/** What `gatehouse store …` does while no Gatehouse has the store open. */
const COMMANDS = { restore, restored, migrate: migrateStore, copy } as const;

export type StoreCommand = keyof typeof COMMANDS;

/** Flags that are no settings. */
export interface CommandFlags {
  readonly json: boolean;
  readonly plan: boolean;
  readonly to: string | undefined;
}

/** One line of an answer: what it is, and what it is about. */
type Lines = readonly (readonly [title: string, text: string])[];

interface Answer {
  readonly json: object;
  readonly lines: Lines;
  readonly next: string;
}

/**
 * Runs one command and prints its answer.
 * @param given what comes before the settings: the file.
 * @throws CannotStart.
 */
export async function runStoreCommand(
  command: StoreCommand,
  {
    given,
    flags,
    config,
  }: { readonly given: string | undefined; readonly flags: CommandFlags; readonly config: Config },
): Promise<void> {
  const { json, lines, next } = await COMMANDS[command](config, given, flags);
  if (flags.json) return void process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  const width = Math.max(...lines.map(([title]) => title.length)) + 2;
  for (const [title, text] of lines) process.stdout.write(`${title.padEnd(width)}${text}\n`);
  process.stderr.write(`\nNext: ${next}\n`);
}

/** Puts a backup in the place of the embedded store, in a new epoch (R-X247). */
async function restore(config: Config, file: string | undefined): Promise<Answer> {
  if (file === undefined) throw usage("restore <file>");
  if (config["store-url"] !== undefined)
    throw new CannotStart(
      "The store is PostgreSQL. Restore it with PostgreSQL's own tools, and then run: gatehouse store restored",
      { exitCode: 78 },
    );
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  try {
    const sealer = createSealer(masterKeysOf(config, false), systemRandom);
    const present = readPresentStore(storePath(directory));
    const staged = stageBackup(file, directory);
    try {
      const { lastEntry = 0 } = readPresentStore(staged.path) ?? {};
      const store = openSqlite(staged.path);
      const done = await beginAgain(store, { config, sealer, expected: present?.storeId }).finally(() => store.close());
      staged.complete();
      const folder = replaceStoreFile(directory, staged.path, systemClock.now());
      return describeRestored(done, file, { folder, undone: undoneIn(folder, present, lastEntry) });
    } finally {
      staged.remove();
    }
  } finally {
    lock.release();
  }
}

/** Begins a new epoch in a store that other tools have set back: a PostgreSQL, or the disk of an embedded store. */
async function restored(config: Config): Promise<Answer> {
  const sealer = createSealer(masterKeysOf(config, false), systemRandom);
  const url = config["store-url"];
  if (url === undefined) {
    const directory = config["data-directory"];
    return withEmbedded(directory, async (store) =>
      describeRestored(await beginAgain(store, { config, sealer }), storePath(directory)),
    );
  }
  const store = await openPostgres(url, { connections: 1, deadlines: deadlinesOf(config) });
  try {
    await assertUnused(store);
    return describeRestored(await beginAgain(store, { config, sealer }), "the PostgreSQL store");
  } finally {
    await store.close();
  }
}

/**
 * Brings the store to this program's level, as a start does; with `--plan` only says what that would do and how long it
 * would take.
 */
async function migrateStore(config: Config, _: string | undefined, flags: CommandFlags): Promise<Answer> {
  const now = () => systemClock.now();
  const directory = config["data-directory"];
  const path = storePath(directory);
  const url = config["store-url"];
  if (url === undefined) {
    if (!existsSync(path)) throw new CannotStart(`There is no store in ${directory}. Set data-directory.`);
    if (flags.plan) return planInDirectory(directory, now);
    return withEmbedded(directory, async (store) => describeMigrated(await migrate(store, migrations, now())));
  }
  const store = await openPostgres(url, { connections: 1, deadlines: deadlinesOf(config) });
  try {
    if (flags.plan) return describePlan(await planPostgres(store, migrations));
    return describeMigrated(await migrate(store, migrations, now()));
  } finally {
    await store.close();
  }
}

/** The store may be in use: then its files are another program's, and nothing of them is touched. */
async function planInDirectory(directory: string, now: () => Date): Promise<Answer> {
  const path = storePath(directory);
  const lock = lockUnlessUsed(directory);
  try {
    const plan = await planEmbedded(path, `${path}.planning`, migrations, now);
    if (lock !== undefined) removeEmptyLog(directory);
    return describePlan(plan);
  } finally {
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

/** Moves a whole installation from the embedded store to a PostgreSQL (R-X253). */
async function copy(config: Config, _: string | undefined, { to }: CommandFlags): Promise<Answer> {
  if (to === undefined || !/^postgres(ql)?:/.test(to)) throw usage("copy --to postgresql://…");
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  try {
    assertWholeStore(directory);
    const storeId = await readyToCopy(storePath(directory), createSealer(masterKeysOf(config, false), systemRandom));
    await makeTables(to, config);
    const { tables, resumed } = await copyStore({ from: storePath(directory), to, storeId });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { storeId, tables, resumed },
      lines: [
        ["copied", `${rows} rows in ${tables.length} tables; counts and digests are the same on both sides`],
        ...(resumed === 0 ? [] : [["resumed", `${resumed} rows were there from an earlier run`] as const]),
        ["keep", `the master key: give ${join(directory, "master.key")} by master-keys`],
        ["source", "is as it was. Never start it again beside the copy"],
      ],
      next: "gatehouse serve --store-url <url>, with the same issuer, and the master key as master-keys",
    };
  } finally {
    removeEmptyLog(directory);
    lock.release();
  }
}

/** @throws CannotStart when the store is not at the program's level, or is sealed with another master key. */
async function readyToCopy(path: string, sealer: Sealer): Promise<string> {
  const store = openSqliteToRead(path);
  try {
    const steps = await pendingSteps(store, migrations);
    if (steps.length > 0)
      throw new CannotStart("The store is older than this program. Run first: gatehouse store migrate");
    const db = store.view<IdentityTables>();
    await assertOurs(db, sealer);
    // A store that was migrated and never started gets its identity where it starts.
    return (await findIdentity(db))?.storeId ?? "none";
  } finally {
    await store.close();
  }
}

/** An unfinished copy has its tables already. */
async function makeTables(url: string, config: Config): Promise<void> {
  const store = await openPostgres(url, { connections: 1, deadlines: deadlinesOf(config) });
  try {
    await assertUnused(store);
    if (!(await isUnfinishedCopy(store))) await migrate(store, migrations, systemClock.now());
  } finally {
    await store.close();
  }
}

const describeMigrated = (steps: number): Answer => ({
  json: { steps },
  lines: [["migrated", steps === 0 ? "nothing to do: the store is at this program's level" : `${steps} steps`]],
  next: "gatehouse serve",
});

function describePlan({ steps, ms, isMeasured }: MigrationPlan): Answer {
  const seconds = Math.ceil(ms / 1_000);
  const howLong = isMeasured
    ? `about ${seconds} s, as measured on a copy`
    : `about ${seconds} s, by the sizes of tables`;
  return {
    json: {
      steps: steps.map(({ owner, number, name }) => ({ owner, number, name })),
      ...{ seconds, isMeasured },
    },
    lines:
      steps.length === 0
        ? [["plan", "nothing to do: the store is at this program's level"]]
        : [
            ["plan", `${steps.length} steps, ${howLong}; nothing was changed`],
            ...steps.map(({ owner, number, name }) => [`${owner} ${number}`, name] as const),
          ],
    next: steps.length === 0 ? "gatehouse serve" : "gatehouse store backup <file>, then start this program",
  };
}

/** Opens the embedded store for this command alone, and closes it as a whole. */
async function withEmbedded<T>(directory: string, work: (store: Store) => Promise<T>): Promise<T> {
  const lock = lockStore(directory);
  try {
    if (prepareStoreFile(directory)) throw new CannotStart(`There is no store in ${directory}. Set data-directory.`);
    const store = openSqlite(storePath(directory));
    markStoreOpen(directory);
    try {
      return await work(store);
    } finally {
      markStoreClosed(directory);
      await store.close();
    }
  } finally {
    lock.release();
  }
}

interface BeginningAgain {
  readonly config: Config;
  readonly sealer: Sealer;
  /** The store that should be there, if it is known. */
  readonly expected?: string | undefined;
}

interface BegunAgain {
  readonly storeId: string;
  readonly epoch: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly deliveriesSuspended: number;
}

/** Migrates the store and ends, in one transaction, whatever may have been used since the moment that it shows. */
async function beginAgain(store: Store, { config, sealer, expected }: BeginningAgain): Promise<BegunAgain> {
  await migrate(store, migrations, systemClock.now());
  const db = store.view<IdentityTables>();
  await assertOurs(db, sealer);
  const known = await findIdentity(db);
  if (known !== undefined && expected !== undefined && known.storeId !== expected)
    throw new CannotStart(
      "The backup belongs to another installation than the store in the data directory. Set data-directory to that of the backup, or to an empty one with its master.key. Nothing was changed.",
    );
  const shared = { store, clock: systemClock, random: systemRandom, wake: createWake() };
  const { storeId } = await identifyStore(db, { sealer, random: systemRandom, now: systemClock.now() });
  const webhooks = webhooksRestored({ ...shared, settings: config.of.webhooks });
  await webhooks.prepare();
  return createChanges<IdentityTables>(shared).run(
    async ({ db: tx, at, audit }) => {
      const epoch = await beginEpoch(tx, at);
      const ended = { ...(await restoredRepository.endAll(tx, at)) };
      const deliveriesSuspended = await webhooks.suspendAll(tx, at);
      const facts = { epoch, ...ended, deliveriesSuspended };
      const actor = actorOf("operator", { "operator-account": userInfo().username });
      await audit({ actor, action: "store.restore", object: storeId, facts });
      return { storeId, epoch, ended, deliveriesSuspended };
    },
    { alone: true },
  );
}

/** Other programs that have the store open would go on in the old epoch. */
async function assertUnused(store: Store): Promise<void> {
  const { rows } = await sql<{ readonly count: string }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'gatehouse%' and pid <> pg_backend_pid()`.execute(
    store.view(),
  );
  if (Number(rows[0]?.count) > 0)
    throw new CannotStart(
      "Another Gatehouse has the store open. Stop every services process first. Nothing was changed.",
    );
}

/** By action, what a restore has undone; `undefined` when the store before cannot be read, or is another one. */
function undoneIn(
  folder: string | undefined,
  present: { readonly storeId: string | undefined } | undefined,
  lastEntry: number,
): ReadonlyMap<string, number> | undefined {
  if (folder === undefined || present?.storeId === undefined) return undefined;
  return actionsAfter(storePath(folder), lastEntry);
}

interface Replaced {
  readonly folder: string | undefined;
  readonly undone: ReadonlyMap<string, number> | undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  sessions: "sessions",
  families: "token families",
  codes: "codes",
  links: "password links",
  signInsUnderWay: "sign-ins under way",
};

function describeRestored(
  { storeId, epoch, ended, deliveriesSuspended }: BegunAgain,
  what: string,
  replaced?: Replaced,
): Answer {
  const { folder, undone } = replaced ?? {};
  const list = Object.entries(ended).map(([name, count]) => `${count} ${WORDS[name] ?? name}`);
  return {
    json: {
      ...{ storeId, epoch, ended, deliveriesSuspended },
      ...(replaced && { replaced: folder ?? null, undone: undone === undefined ? null : Object.fromEntries(undone) }),
    },
    lines: [
      ["restored", `${what}; this is epoch ${epoch}`],
      ["ended", list.join(", ")],
      ["suspended", `${deliveriesSuspended} deliveries, which may have been delivered since`],
      ...(undone === undefined || undone.size === 0
        ? []
        : [["undone", [...undone].map(([action, count]) => `${action} ${count}`).join(", ")] as const]),
      ...(folder === undefined ? [] : [["before", `the store that was here is in ${folder}`] as const]),
    ],
    next:
      deliveriesSuspended === 0
        ? "gatehouse serve"
        : "gatehouse serve, then gatehouse deliveries release, or the same with --cancel",
  };
}

const usage = (form: string): CannotStart =>
  new CannotStart(`The command is: gatehouse store ${form} [--<setting> <value> …]`, { exitCode: 78 });
