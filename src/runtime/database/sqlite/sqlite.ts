import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { Kysely } from "kysely";
import { cureOfFile, makeDirectory } from "../../basis/directories.ts";
import { CannotStart } from "../../basis/errors.ts";
import { storeUnavailable } from "../../basis/store-troubles.ts";
import type { Database, Snapshot, Store } from "../database.ts";
import { COMPOSE } from "../spelling.ts";
import { createStoreHealth, type StoreHealth } from "../store-health.ts";
import { storeTroubleOf } from "../store-trouble.ts";
import { type DiskThread, diskThread } from "./disk-thread.ts";
import { type LogFlush, openLogFlush } from "./log-flush.ts";
import { PAGES_CLEARED_AT_ONCE } from "./overwritten.ts";
import { SqliteDialect } from "./sqlite-driver.ts";
import type { SqliteHandles } from "./sqlite-writer.ts";
import { createPrivately } from "./store-lock.ts";

/** Fixed in 3.51.3: an older SQLite can corrupt a WAL database that has two connections. */
const OLDEST_SAFE_VERSION = [3, 51, 3] as const;
/** Several times what is copied at once, so that an ordinary log keeps its file. */
const LOG_FILE_BYTES = 64 * 1024 * 1024;
/** Pages that a handle keeps. The reading one forgets all of them with each commit of the other. */
const READER_CACHE_KIB = 2_048;
const WRITER_CACHE_KIB = 8_192;

/**
 * `pragma synchronous`, with its number. FULL flushes each commit. NORMAL flushes what keeps the file whole after a power
 * failure, and leaves it to us to flush commits (decision 0076).
 */
const SYNCHRONOUS = { full: 2, normal: 1 } as const;

const FLUSHES = { name: "gatehouse_store_flush_seconds", help: "How long the disk took to flush a commit." };

type SqliteOptions = Pick<SqliteHandles, "onFlushFailed" | "beforeClosing" | "afterClosing">;

/**
 * Opens the embedded store, made with mode 0600 when it does not exist. Every acknowledged commit is on the disk.
 * @throws CannotStart when the file cannot be opened, is not a database or is damaged.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Store {
  const writer = openHandle(path, { readonly: false });
  const reader = orClosed(writer, () => openHandle(path, { readonly: true }));
  const health = createStoreHealth({ waits: FLUSHES });
  const log = orClosed(writer, () => orClosed(reader, () => openLog(path)));
  const isInPlace = sameFiles([path, `${path}-wal`]);
  const mainFile = openOnce(path);
  const disk = diskThread(path, mainFile.number);
  const handles = { reader, writer, health, log, diskThread: disk, isInPlace, ...options };
  const dialect = new SqliteDialect(handles);
  const kysely = new Kysely<unknown>({ dialect });
  return {
    dialect: "sqlite",
    health,
    view: <T>() => kysely as unknown as Database<T>,
    snapshot: <T>() => dialect.quietly(() => openSnapshot<T>(path, health)),
    beforeCommit: (call) => dialect.beforeCommit(call),
    forgetOverwritten: () => forgetOverwritten(dialect, disk),
    async close() {
      await closeAll(kysely, dialect);
      mainFile.close();
    },
  };
}

/**
 * Opens an embedded store for reading alone: no byte of its main file changes, not even by a checkpoint.
 * @throws CannotStart as `openSqlite`.
 */
export function openSqliteToRead(path: string): Store {
  const handle = openHandle(path, { readonly: true });
  const health = createStoreHealth();
  const dialect = new SqliteDialect({ reader: handle, writer: handle, health });
  const kysely = new Kysely<unknown>({ dialect });
  return {
    dialect: "sqlite",
    health,
    view: <T>() => kysely as unknown as Database<T>,
    snapshot: async <T>() => openSnapshot<T>(path, health),
    beforeCommit: () => undefined,
    forgetOverwritten: async () => false,
    close: () => closeAll(kysely, dialect),
  };
}

/** Kysely closes nothing that was never used, and an open reading handle keeps the log from being copied. */
async function closeAll(kysely: Pick<Kysely<unknown>, "destroy">, dialect: SqliteDialect): Promise<void> {
  await kysely.destroy();
  await dialect.close();
}

/**
 * A file that is opened when it is first needed. It stays open: closing any of its numbers, a process loses the locks by which
 * SQLite's handles on it keep others from the log (POSIX).
 */
function openOnce(path: string): { readonly number: () => number; close(): void } {
  let opened: number | undefined;
  return {
    number: () => (opened ??= openSync(path, "r+")),
    close() {
      if (opened !== undefined) closeSync(opened);
      opened = undefined;
    },
  };
}

/** Takes what was overwritten out of log and main file, some pages at a time. `false` when a reader needs the log. */
async function forgetOverwritten(dialect: SqliteDialect, disk: DiskThread): Promise<boolean> {
  for (let page = 1; ; page += PAGES_CLEARED_AT_ONCE) {
    const cleared = await dialect.withLogCopied((pagesLeft) =>
      dialect.insteadOfFlush(PAGES_CLEARED_AT_ONCE + pagesLeft, async () => {
        if (!disk.isOpen) await disk.open();
        return disk.clear(page);
      }),
    );
    if (cleared !== "more") return cleared === "done";
  }
}

/** A handle of its own with a transaction that only reads: WAL preserves its view while others write. */
function openSnapshot<T>(path: string, health: StoreHealth): Snapshot<T> {
  let handle: BetterSqlite3.Database;
  try {
    const opened = openHandle(path, { readonly: true });
    handle = orClosed(opened, () => {
      opened.exec("begin");
      // The snapshot is taken by the transaction's first read.
      opened.prepare("select count(*) from sqlite_schema").get();
      return opened;
    });
  } catch (error) {
    // The program runs: what a start would say of the file is no answer to a request.
    const trouble = storeTroubleOf(error instanceof CannotStart ? error.cause : error) ?? "away";
    health.readFailed(trouble);
    throw storeUnavailable(trouble, error);
  }
  const dialect = new SqliteDialect({ reader: handle, writer: handle, health });
  const db = new Kysely<T>({ dialect });
  return { db, close: () => closeAll(db, dialect) };
}

/**
 * Returns a check whether the paths still lead to the files that are open now; writes to a replaced file are lost with
 * the process. A file that this account may not look at any more, since its directory was given to another, is not there for
 * it: a later start could not open it.
 */
function sameFiles(paths: readonly string[]): () => boolean {
  const fileOf = (path: string): string | undefined => {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      return found && `${found.dev}/${found.ino}`;
    } catch {
      return undefined;
    }
  };
  const opened = paths.map(fileOf);
  return () => paths.every((path, index) => fileOf(path) === opened[index]);
}

function openHandle(path: string, { readonly }: { readonly readonly: boolean }): BetterSqlite3.Database {
  try {
    if (!readonly) {
      makeDirectory(dirname(path), 0o700);
      createPrivately(path);
      // SQLite's own choice may be in memory, small, or not writable: a long change would fail as if the disk did. A caller's setting counts.
      process.env.SQLITE_TMPDIR ??= dirname(path);
    }
    const handle = new BetterSqlite3(path, { readonly, timeout: 5_000 });
    return orClosed(handle, () => {
      prepareHandle(handle, path, readonly);
      return handle;
    });
  } catch (error) {
    throw openingRefused(path, error);
  }
}

function openLog(path: string): LogFlush {
  try {
    return openLogFlush(`${path}-wal`);
  } catch (error) {
    throw openingRefused(path, error);
  }
}

/** Closes the handle when the work fails: left to the garbage collector, it would remove the log of a later one. */
function orClosed<T>(handle: BetterSqlite3.Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    handle.close();
    throw error;
  }
}

function prepareHandle(handle: BetterSqlite3.Database, path: string, readonly: boolean): void {
  const version = String(handle.prepare("select sqlite_version()").pluck().get());
  if (isOlder(version))
    throw new CannotStart(`SQLite ${version} can damage a store; ${OLDEST_SAFE_VERSION.join(".")} or newer is needed.`);
  if (!readonly) handle.pragma("journal_mode = wal");
  const wanted = readonly ? "full" : "normal";
  handle.pragma(`synchronous = ${wanted}`);
  handle.pragma(`cache_size = -${readonly ? READER_CACHE_KIB : WRITER_CACHE_KIB}`);
  handle.pragma("foreign_keys = on");
  // What is deleted or overwritten becomes zeros in the file, so that an erasure is one (decision 0059).
  handle.pragma("secure_delete = on");
  // Copied by us: within a commit SQLite would meet our reads, which keep their view until it is flushed.
  handle.pragma("wal_autocheckpoint = 0");
  // A log that a reader or a large change has made longer gives the rest of its file back once it is begun again.
  handle.pragma(`journal_size_limit = ${LOG_FILE_BYTES}`);
  handle.function(COMPOSE, { deterministic: true }, (text: string) => text.normalize("NFC"));
  const synchronous = handle.pragma("synchronous", { simple: true });
  if (synchronous !== SYNCHRONOUS[wanted])
    throw new CannotStart(
      `The store ${path} does not take synchronous=${wanted} (it is ${synchronous}): this build of SQLite would not flush as it must. Install Gatehouse's packages again.`,
    );
  handle.prepare("select count(*) from sqlite_schema").get();
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  const difference = OLDEST_SAFE_VERSION.map((wanted, index) => (parts[index] ?? 0) - wanted).find(
    (part) => part !== 0,
  );
  return (difference ?? 0) < 0;
}

/** Why a store cannot be opened, and what to do. */
export function openingRefused(path: string, error: unknown): CannotStart {
  if (error instanceof CannotStart) return error;
  const code = (error as { code?: string }).code ?? "";
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) {
    return new CannotStart(
      `The store ${path} is damaged or not a SQLite database. Restore it from a backup, or move it away to start empty.`,
      { exitCode: 65, cause: error },
    );
  }
  return new CannotStart(
    `The store ${path} cannot be opened for writing (${code || String(error)}). ${cureOfFile(dirname(path), code)}`,
    { cause: error },
  );
}
