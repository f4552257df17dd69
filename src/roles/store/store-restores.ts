import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "#runtime/basis/clock.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { lookAtTables } from "#runtime/database/foreign-table.ts";
import { migrate, POSTGRES_LOCK } from "#runtime/database/migrations.ts";
import { openSqlite } from "#runtime/database/sqlite/sqlite.ts";
import { removeEmptyLog, storePath } from "#runtime/database/sqlite/store-file.ts";
import { lockStore } from "#runtime/database/sqlite/store-lock.ts";
import { storeClock } from "#runtime/database/store-clock.ts";
import { createMetrics } from "#runtime/process/metrics.ts";
import { actorOf } from "#runtime/rpc/call.ts";
import { machineAccount } from "#runtime/rpc/machine-account.ts";
import { createSealer, type Sealer } from "#runtime/sealing/sealing.ts";
import { type PresentStore, readPresentStore } from "#runtime/upkeep/replaced-store.ts";
import { stageBackup } from "#runtime/upkeep/staged-backup.ts";
import {
  beginEpoch,
  followingEpoch,
  type IdentityTables,
  identifyStore,
  leaveNumbersOut,
} from "#runtime/upkeep/store-identity.ts";
import { isOpened } from "#runtime/upkeep/store-proof.ts";
import { endReplacements, replaceStoreFile, undoInterruptedReplacement } from "#runtime/upkeep/store-replacement.ts";
import { undoneActions } from "#runtime/upkeep/undone-actions.ts";
import { undoneErasures } from "#runtime/upkeep/undone-erasures.ts";
import { createWake } from "#runtime/wake/wake.ts";
import type { Config } from "../../config.ts";
import { restoredRepository } from "../../sign-on/services.ts";
import { webhooksRestored } from "../../webhooks/services.ts";
import { ERASABLE_TABLES } from "../../workforce/services.ts";
import { masterKeysOf } from "../opened-store.ts";
import { migrations, REPEATED_BY_HAND, SEALED } from "../owners.ts";
import { type BegunAgain, describeRestored } from "./restore-answer.ts";
import { type Answer, assertStore, assertUnused, logLines, usage, withEmbedded, withPostgres } from "./store-alone.ts";

/** Puts a backup in the place of the embedded store, in a new epoch (R-X247). */
export async function restore(config: Config, file: string | undefined): Promise<Answer> {
  if (file === undefined) throw usage("restore <file>");
  if (config["store-url"] !== undefined)
    throw new CannotStart("The store is PostgreSQL. Restore it with PostgreSQL's own tools, and then run:", {
      exitCode: 78,
      command: "gatehouse store restored",
    });
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  try {
    const sealer = createSealer(masterKeysOf(config, { mayMake: false, sealed: "backup" }), systemRandom);
    const unsaid = undoInterruptedReplacement(directory);
    const present = readPresentStore(storePath(directory));
    const staged = await stageBackup(file, directory, () => {
      removeEmptyLog(directory);
      lock.release();
      process.stderr.write(INTERRUPTED);
    });
    try {
      const store = openSqlite(staged.path);
      const done = await beginAgain(store, { config, sealer, present })
        .catch((error: unknown) => {
          throw error instanceof CannotStart ? notRestored(file, error) : error;
        })
        .finally(() => store.close());
      await staged.complete();
      // From here to the answer nothing waits: a signal comes too late, and what was done is said.
      const folder = replaceStoreFile(directory, staged.path, systemClock.now());
      const answer = describeRestored(done, file, {
        folder,
        hasDigest: staged.hasDigest,
        undone: undoneActions(directory, REPEATED_BY_HAND),
        erased: undoneErasures(directory, ERASABLE_TABLES),
      });
      return { ...answer, printed: () => endReplacements([...unsaid, ...(folder === undefined ? [] : [folder])]) };
    } finally {
      staged.remove();
    }
  } finally {
    lock.release();
  }
}

const INTERRUPTED = "gatehouse: Interrupted. Nothing was changed, and the copy that was begun is removed.\n";

/** What is wrong with the store in a backup, which was looked at in a copy. */
const notRestored = (file: string, { message, cause, exitCode }: CannotStart): CannotStart =>
  new CannotStart(`${file} was not restored. ${message} Nothing was changed.`, { cause, exitCode });

/** Begins a new epoch in a store that other tools have set back: a PostgreSQL, or the disk of an embedded store. */
export async function restored(config: Config): Promise<Answer> {
  // Before the master key is asked for: without a store it is no use.
  if (config["store-url"] === undefined) assertStore(config["data-directory"]);
  else if (config["master-keys"] === undefined && !existsSync(join(config["data-directory"], "master.key")))
    throw new CannotStart(
      "master-keys is missing: the PostgreSQL store is sealed with them. Give those that its services have, by master-keys-file. Nothing was changed.",
      { exitCode: 78 },
    );
  const sealer = createSealer(masterKeysOf(config, { mayMake: false }), systemRandom);
  const url = config["store-url"];
  if (url === undefined) {
    const directory = config["data-directory"];
    const done = await withEmbedded(directory, async (store) =>
      describeRestored(await beginAgain(store, { config, sealer }), storePath(directory)),
    );
    return { ...done, lines: [...done.lines, ...logLines(directory)] };
  }
  return withPostgres(url, config, async (store) => {
    // Of this command's one connection, until it ends: a program that starts meanwhile waits for it, and finds the new epoch.
    await sql`select pg_advisory_lock(${POSTGRES_LOCK})`.execute(store.view());
    await assertUnused(store);
    // A wrong database, schema or port would be given tables, and what was used stay good in the store that was meant.
    const { hasLedger } = await lookAtTables(store.view());
    if (!hasLedger)
      throw new CannotStart(
        "There is no store of Gatehouse in this database. Set store-url to the database, schema and port of the store that was set back. Nothing was changed.",
      );
    await assertRecovered(store);
    return describeRestored(await beginAgain(store, { config, sealer }), "the PostgreSQL store");
  });
}

/** A recovery waits at its target, as it does by default, until an operator ends it. */
async function assertRecovered(store: Store): Promise<void> {
  const { rows } = await sql<{ readonly recovers: boolean }>`select pg_is_in_recovery() as recovers`.execute(
    store.view(),
  );
  if (rows[0]?.recovers === true)
    throw new CannotStart(
      "The PostgreSQL server is in recovery, and takes no writes. Where it waits at the target of the recovery, end that: select pg_wal_replay_resume(). Where it is a standby, name the primary in store-url. Then run the command again. Nothing was changed.",
    );
}

interface BeginningAgain {
  readonly config: Config;
  readonly sealer: Sealer;
  /** The store that is replaced, if it can be read. */
  readonly present?: PresentStore | undefined;
}

/** Migrates the store and ends, in one transaction, whatever may have been used since the moment that it shows. */
async function beginAgain(store: Store, { config, sealer, present }: BeginningAgain): Promise<BegunAgain> {
  // A store that others share keeps its own time; the machine that restores it may have another one.
  const { clock } = await storeClock(store, createMetrics());
  await migrate(store, migrations, clock.now());
  const db = store.view<IdentityTables>();
  const shared = { store, clock, random: systemRandom, wake: createWake() };
  // Of two stores under one master key the older one may be from before stores had an identity.
  const isOfPresent = present?.proof !== undefined && isOpened(present.proof, sealer);
  const identity = await identifyStore(db, {
    sealer,
    sealed: SEALED,
    random: systemRandom,
    now: clock.now(),
    storeId: isOfPresent ? present.storeId : undefined,
  });
  const { storeId } = identity;
  if (present?.storeId !== undefined && storeId !== present.storeId)
    throw new CannotStart(
      "It belongs to another installation than the store in the data directory. Set data-directory to that of the backup, or to an empty one with its master.key.",
    );
  const next = followingEpoch(identity, present, clock.now());
  const webhooks = webhooksRestored({ ...shared, settings: config.of.webhooks });
  const changes = createChanges<IdentityTables>(shared);
  await changes.run(({ db: tx }) => leaveNumbersOut(tx, next.beganAt, webhooks.numberedForOthers, present?.numbers));
  await webhooks.prepare();
  return changes.run(
    async ({ db: tx, at, audit }) => {
      const { epoch } = next;
      await beginEpoch(tx, next);
      const ended = { ...(await restoredRepository.endAll(tx, at)) };
      const deliveriesSuspended = await webhooks.suspendAll(tx, at);
      const facts = { epoch, ...ended, deliveriesSuspended };
      const actor = actorOf("operator", { "operator-account": machineAccount() });
      await audit({ actor, action: "store.restore", object: storeId, facts });
      return { storeId, epoch, ended, deliveriesSuspended };
    },
    { alone: true },
  );
}
