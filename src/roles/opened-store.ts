import { join } from "node:path";
import { systemClock } from "#runtime/basis/clock.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { STORE_TROUBLE_TEXTS } from "#runtime/basis/store-troubles.ts";
import { clientCertificateTime, openClientKeyAdvice } from "#runtime/database/client-certificate.ts";
import type { Store } from "#runtime/database/database.ts";
import type { Deadlines } from "#runtime/database/deadlines.ts";
import { migrate } from "#runtime/database/migrations.ts";
import { openPostgres } from "#runtime/database/postgres/postgres.ts";
import { CLIENT_CERTIFICATE } from "#runtime/database/settings.ts";
import { openSqlite } from "#runtime/database/sqlite/sqlite.ts";
import {
  markStoreClosed,
  markStoreOpen,
  measureDisk,
  prepareStoreFile,
  settleMark,
  storePath,
} from "#runtime/database/sqlite/store-file.ts";
import { lockStore } from "#runtime/database/sqlite/store-lock.ts";
import { passwordIn } from "#runtime/database/store-password.ts";
import { storeTroubleOf } from "#runtime/database/store-trouble.ts";
import { clientCertificateCheck } from "#runtime/process/client-certificate.ts";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import { type MasterKeyNeed, masterKeyFile, parseMasterKeys } from "#runtime/sealing/master-key.ts";
import { removeLeftCopies } from "#runtime/upkeep/left-copies.ts";
import { assertNumbersGoOn } from "#runtime/upkeep/store-identity.ts";
import { endReplacements, foldersUnderWay, hasReplaced } from "#runtime/upkeep/store-replacement.ts";
import { undoneActions, undoneLines } from "#runtime/upkeep/undone-actions.ts";
import { undoneErasures } from "#runtime/upkeep/undone-erasures.ts";
import { postgresWake } from "#runtime/wake/postgres-wake.ts";
import { createWake, type Wake } from "#runtime/wake/wake.ts";
import type { Config } from "../config.ts";
import { NUMBERS_ELSEWHERE } from "../webhooks/services.ts";
import { ERASABLE_TABLES } from "../workforce/services.ts";
import { migrations, REPEATED_BY_HAND } from "./owners.ts";
import type { Process } from "./process.ts";

/** The exit code after a failed flush (EX_IOERR of sysexits.h); a supervisor starts the program again. */
const EX_IOERR = 74;

interface OpenedStore {
  readonly store: Store;
  readonly wake: Wake;
  readonly masterKeys: readonly Buffer[];
}

/**
 * Opens the embedded store of the data directory, or that of `store-url`, brings it to this program's level, and adds what
 * stops it and shows its health to the process.
 * @throws CannotStart when it is of another program or version, is in use, or does not answer.
 */
export async function openStore(config: Config, process: Process): Promise<OpenedStore> {
  const url = config["store-url"];
  const opened = url === undefined ? await openEmbedded(config, process) : await openShared(url, config, process);
  opened.store.health.measure(process.metrics);
  process.checks.push(storeCheck(opened.store));
  return opened;
}

/**
 * The order matters: the master key is on the disk before the store exists, and the store is complete before it is
 * marked.
 */
async function openEmbedded(config: Config, process: Process): Promise<OpenedStore> {
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  process.add({ name: "lock of the data directory", stop: async () => lock.release() });
  removeLeftCopies(directory, systemClock.now());
  const isNew = prepareStoreFile(directory);
  endRestores(directory, process.log);
  const masterKeys = masterKeysOf(config, {
    mayMake: isNew,
    made: (path) =>
      process.log.info("A master key was made: keep a copy of it, apart from the backups.", { detail: path }),
  });
  let isComplete = false;
  let isClosed: boolean | undefined;
  const store = openSqlite(storePath(directory), {
    onFlushFailed: (error) =>
      process.end(
        "The disk did not flush what was written: ending, so that a new start reads what is there.",
        error,
        EX_IOERR,
      ),
    beforeClosing() {
      if (isComplete) isClosed = markStoreClosed(directory);
    },
    afterClosing() {
      if (isClosed === false && !settleMark(directory))
        process.log.warn("The log of the store was not copied into its main file: the two belong together.");
    },
  });
  process.add({ name: "store", stop: () => store.close() });
  await migrate(store, migrations, systemClock.now());
  // Also when the mark cannot be written: the main file says then that it is in use.
  isComplete = true;
  markStoreOpen(directory);
  measureDisk(storePath(directory), process.metrics);
  const wake = createWake();
  process.add({ name: "wake", stop: () => wake.close() });
  return { store, wake, masterKeys };
}

/**
 * Says what restores have undone that were killed before they could say it; nothing else says it later, since no restore
 * is under way any more once the store is opened (R-X421).
 */
function endRestores(directory: string, log: Log): void {
  const underWay = foldersUnderWay(directory);
  if (underWay.some(hasReplaced)) {
    const erased = undoneErasures(directory, ERASABLE_TABLES);
    const lines = [
      ...undoneLines(undoneActions(directory, REPEATED_BY_HAND)),
      ...erased.ids.map((id) => ["erase again", id]),
      ...erased.unread.map((reason) => ["erase again", `what was erased in a store that cannot be read (${reason})`]),
    ];
    for (const line of lines)
      log.warn("A restore was killed before it could say what it has undone.", { detail: line.join(" ") });
  }
  endReplacements(underWay);
}

async function openShared(url: string, config: Config, process: Process): Promise<OpenedStore> {
  const masterKeys = masterKeysOf(config, { mayMake: false });
  const file = config.paths["store-url"];
  const openKey = openClientKeyAdvice(url);
  if (openKey !== undefined)
    process.log.warn("The private key that proves us to PostgreSQL can be read by others.", { detail: openKey });
  if (clientCertificateTime(url) !== undefined)
    process.checks.push(
      clientCertificateCheck({
        name: "store certificate",
        server: "PostgreSQL",
        setting: CLIENT_CERTIFICATE,
        metric: "gatehouse_store_certificate_expiry_seconds",
        validTime: () => clientCertificateTime(url),
        clock: systemClock,
        log: process.log,
        metrics: process.metrics,
      }),
    );
  const password = file === undefined ? undefined : passwordIn(file, url);
  const store = await openPostgres(url, {
    password,
    connections: config["store-connections"],
    deadlines: deadlinesOf(config),
    stopping: process.stopping,
  });
  process.add({ name: "store", stop: () => store.close() });
  const wake = postgresWake(url, process.log, undefined, password);
  process.add({ name: "wake", stop: () => wake.close() });
  await migrate(store, migrations, systemClock.now());
  await assertNumbersGoOn(store.view(), NUMBERS_ELSEWHERE);
  return { store, wake, masterKeys };
}

export const deadlinesOf = (config: Config): Deadlines => ({
  connectMs: config["store-connect-timeout-ms"],
  statementMs: config["store-statement-timeout-ms"],
  transactionMs: config["store-transaction-timeout-ms"],
  migrationMs: config["store-migration-timeout-ms"],
});

/** Ready only while the last real write succeeded and the store answers within a transaction. */
const storeCheck = (store: Store): HealthCheck => ({
  name: "store",
  async check() {
    const { trouble } = store.health;
    if (trouble !== undefined) return STORE_TROUBLE_TEXTS[trouble];
    const db = store.view<{ migration_ledger: { readonly owner: string } }>();
    try {
      await db.transaction().execute((tx) => tx.selectFrom("migration_ledger").select("owner").limit(1).execute());
      return undefined;
    } catch (error) {
      const met = store.health.trouble ?? storeTroubleOf((error as Error).cause);
      return met === undefined ? "failed" : STORE_TROUBLE_TEXTS[met];
    }
  },
});

/** Main file of the embedded store; `undefined` on PostgreSQL. */
export const storeFileOf = (config: Config): string | undefined =>
  config["store-url"] === undefined ? storePath(config["data-directory"]) : undefined;

/** @throws CannotStart when there is no master key and none may be made. */
export const masterKeysOf = (config: Config, need: MasterKeyNeed): readonly Buffer[] =>
  config["master-keys"] === undefined
    ? masterKeyFile(join(config["data-directory"], "master.key"), systemRandom, need)
    : parseMasterKeys(config["master-keys"]);
