import { existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { cureOfFile } from "../../basis/directories.ts";
import { createFlushed, flushDirectory, removeIfPossible } from "../../basis/durable-file.ts";
import { CannotStart } from "../../basis/errors.ts";
import { Gauge, type Metrics } from "../../process/metrics.ts";
import { storeTroubleOf } from "../store-trouble.ts";
import { openingRefused } from "./sqlite.ts";

/** The embedded store's main file in the data directory. */
export const storePath = (directory: string): string => join(directory, "gatehouse.sqlite");

/** Path of the mark that records that the directory has a store, and whether it was closed properly. */
const markPath = (directory: string): string => join(directory, "gatehouse.store");

/** Where a mark is written before it replaces the one that is there. */
export const markDraftPath = (directory: string): string => `${markPath(directory)}.new`;

type Mark = "open" | "closed";

/**
 * State in the main file itself (`pragma user_version`): `inUse` while a program has it open, so that a copy without its
 * log can be recognised; `backup` in a backup that was not restored yet.
 */
export const STORE_FILE_STATES = { complete: 0, inUse: 1, backup: 2 } as const;

const { complete: COMPLETE, inUse: IN_USE } = STORE_FILE_STATES;

const SENTENCES: Readonly<Record<Mark, string>> = {
  open: "open: gatehouse.sqlite and gatehouse.sqlite-wal are one store.\n",
  closed: "closed: gatehouse.sqlite is the whole store.\n",
};

/**
 * Checks the store's files before the store is opened, copies its log into the main file and flushes it. So a start
 * never relies on data that a failed flush left in the system's memory only (decision 0039).
 * @returns true when there is no store yet.
 * @throws CannotStart when files of the store are missing or one is a link, the log cannot be copied, or another program made
 * the file (R-X348).
 */
export function prepareStoreFile(directory: string): boolean {
  const path = storePath(directory);
  assertNoLink(path);
  const mark = readMark(directory);
  const hasLog = existsSync(`${path}-wal`);
  if (mark === "open" && !hasLog) throw missing(`${path}-wal`, directory);
  const copied = (handle: BetterSqlite3.Database) => {
    if (mark === undefined && !hasOurLedger(handle)) throw foreignFile(path);
    const state = stateUnlessBackup(handle, path);
    if (mark !== undefined && !hasLog && state === IN_USE) throw missing(`${path}-wal`, directory);
    // From now on the main file is the whole store, and closing this handle removes the log. The mark says so, so that
    // the next start does not report the log as missing.
    handle.pragma(`user_version = ${COMPLETE}`);
    if (mark === "open") writeMark(directory, "closed");
  };
  const isNew = !existsSync(path) || copyLog(path, copied) === "empty";
  if (isNew && mark !== undefined) throw missing(path, directory);
  return isNew;
}

/**
 * Asserts that the directory has a whole store, and changes nothing. The caller has the lock.
 * @throws CannotStart when there is no store, its log is missing, or it is a link.
 */
export function assertWholeStore(directory: string): void {
  const path = storePath(directory);
  assertNoLink(path);
  if (!existsSync(path)) throw new CannotStart(`There is no store in ${directory}. Set data-directory.`);
  if (readMark(directory) === "open" && !existsSync(`${path}-wal`)) throw missing(`${path}-wal`, directory);
}

/**
 * Asserts that a whole store is no backup that was put in its place, as a start does. Only reads.
 * @throws CannotStart when it is one: nothing would be ended of what was used since (R-X246).
 */
export function assertNoBackup(path: string): void {
  const handle = new BetterSqlite3(path, { readonly: true });
  try {
    stateUnlessBackup(handle, path);
  } finally {
    handle.close();
  }
}

/** SQLite keeps the log beside the file that a link leads to, and who moves the store away moves the link. */
function assertNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new CannotStart(
      `The store ${path} is a symbolic link, and its log would be elsewhere. Move the file that it leads to, with a log beside it, into its place. For another disk, set data-directory to a directory there, or to a link to one.`,
      { exitCode: 65 },
    );
}

/** What the main file says of itself. @throws CannotStart when that is a backup (R-X246). */
function stateUnlessBackup(handle: BetterSqlite3.Database, path: string): unknown {
  const state = handle.pragma("user_version", { simple: true });
  if (state === STORE_FILE_STATES.backup) throw putInPlaceByHand(path);
  return state;
}

/**
 * Removes the empty log that SQLite leaves behind when it only reads. That of a store that was not closed stays: a crash
 * may have left it empty, and without it a start takes the store for half a one. The caller has the lock.
 */
export function removeEmptyLog(directory: string): void {
  const path = storePath(directory);
  if (readMark(directory) === "open") return;
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  removeIfPossible(`${path}-wal`, `${path}-shm`);
}

/**
 * Marks the directory once its store has tables: from now on an empty or partial store is refused. The log is copied
 * first, so that the main file is never empty again.
 */
export function markStoreOpen(directory: string): void {
  copyLog(storePath(directory), (handle) => {
    handle.pragma(`user_version = ${IN_USE}`);
    handle.pragma("wal_checkpoint(truncate)");
  });
  writeMark(directory, "open");
}

/** How long other programs may keep the log from being copied at the end. */
const END_WAITS_MS = 1_000;

/**
 * Copies the log and marks the main file as the whole store, before the last handle is closed, which removes the log.
 * @returns false when that failed: the disk is full or fails, or another program reads. Then call `settleMark`.
 */
export function markStoreClosed(directory: string): boolean {
  try {
    const handle = new BetterSqlite3(storePath(directory), { timeout: END_WAITS_MS });
    try {
      handle.pragma("synchronous = full");
      // A copy that SQLite makes with a commit keeps a failed flush to itself (decision 0039).
      handle.pragma("wal_autocheckpoint = 0");
      handle.pragma(`user_version = ${COMPLETE}`);
      const isCopied = isLogCopied(handle);
      if (isCopied) writeMark(directory, "closed");
      return isCopied;
    } finally {
      handle.close();
    }
  } catch {
    return false;
  }
}

/**
 * Call it once nothing has a store open that could not be marked as closed. With its log it stays “open”. Without, the mark is
 * removed: SQLite removes a log only after it has copied it, and the next start would report it as missing.
 * @returns whether the main file is the whole store.
 */
export function settleMark(directory: string): boolean {
  const hasLog = existsSync(`${storePath(directory)}-wal`);
  if (hasLog && isMarkedOpen(directory)) return false;
  removeIfPossible(markPath(directory));
  return !hasLog;
}

/** False also when the mark cannot be read. */
export function isMarkedOpen(directory: string): boolean {
  try {
    return readMark(directory) === "open";
  } catch {
    return false;
  }
}

/** When another program's read transaction prevents a full copy, SQLite reports it in the result and does not throw. */
function isLogCopied(handle: BetterSqlite3.Database): boolean {
  const [outcome] = handle.pragma("wal_checkpoint(truncate)") as readonly { readonly busy: number }[];
  return outcome?.busy === 0;
}

/** @param copied called when the main file is complete, before the log is removed. */
function copyLog(path: string, copied: (handle: BetterSqlite3.Database) => void): "empty" | "filled" {
  try {
    const handle = new BetterSqlite3(path, { timeout: 5_000 });
    try {
      handle.pragma("synchronous = full");
      if (!isLogCopied(handle))
        throw new CannotStart(
          `Another program has the store ${path} open. End it, and start Gatehouse again. If the log is missing then, that program has copied it into the store as it ended: remove ${markPath(dirname(path))}.`,
        );
      const isEmpty = handle.prepare("select 1 from sqlite_schema").get() === undefined;
      if (!isEmpty) copied(handle);
      return isEmpty ? "empty" : "filled";
    } finally {
      handle.close();
    }
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    const trouble = storeTroubleOf(cause);
    if (trouble === "damaged") throw openingRefused(path, cause);
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CannotStart(
      `The log of the store ${path} cannot be copied into it (${code ?? message}). ${cureOfFile(dirname(path), code)}`,
      { cause },
    );
  }
}

const missing = (path: string, directory: string): CannotStart =>
  new CannotStart(
    `A store was here, and ${path} is missing or empty. Put it back, or restore a backup. To accept the loss and continue with the remaining files, remove ${markPath(directory)}.`,
  );

/** Of a file that no Gatehouse has marked; one that is marked has one. */
const hasOurLedger = (handle: BetterSqlite3.Database): boolean =>
  handle.prepare("select 1 from pragma_table_info('migration_ledger') where name = 'digest'").get() !== undefined;

const foreignFile = (path: string): CannotStart =>
  new CannotStart(
    `The file ${path} has tables and no record of Gatehouse's: another program made it. Set data-directory to another. The file was left as it is.`,
    { exitCode: 65 },
  );

const putInPlaceByHand = (path: string): CannotStart =>
  new CannotStart(
    `The store ${path} is a backup that was put in place by hand: what was used or ended since would be valid again. Move it elsewhere, and run:`,
    { exitCode: 65, command: "gatehouse store restore <file>" },
  );

/** `undefined` in a directory that has no mark. @throws CannotStart when it cannot be read. */
export function readMark(directory: string): Mark | undefined {
  try {
    return readFileSync(markPath(directory), "utf8").startsWith("open") ? "open" : "closed";
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new CannotStart(`The file ${markPath(directory)} cannot be read (${code}). ${cureOfFile(directory, code)}`, {
      cause,
    });
  }
}

/** @throws CannotStart when it cannot be written; the earlier mark may be there still. */
export function writeMark(directory: string, mark: Mark): void {
  try {
    writeDurably(directory, SENTENCES[mark]);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CannotStart(
      `The file ${markPath(directory)} cannot be written (${code ?? message}). ${cureOfFile(directory, code)}`,
      { cause },
    );
  }
}

/** After a failure: the earlier mark, or none where it cannot be written, since a wrong one refuses a whole store. */
export function putMarkBack(directory: string, mark: Mark | undefined): void {
  try {
    if (readMark(directory) === mark) return;
    if (mark === undefined) rmSync(markPath(directory), { force: true });
    else writeMark(directory, mark);
  } catch {
    rmSync(markPath(directory), { force: true });
  }
}

/** Replaces the mark atomically: after a power failure it has either the old or the new content. */
function writeDurably(directory: string, text: string): void {
  const draft = markDraftPath(directory);
  rmSync(draft, { force: true });
  try {
    createFlushed(draft, text);
    renameSync(draft, markPath(directory));
  } catch (error) {
    removeIfPossible(draft);
    throw error;
  }
  flushDirectory(directory);
}

/** Metrics of the embedded store's files and of the disk that they are on. Values that cannot be read are omitted. */
export function measureDisk(path: string, metrics: Metrics): void {
  new Gauge({
    name: "gatehouse_store_disk_free_bytes",
    help: "Free space of the disk that holds the data directory, as far as this program may use it.",
    registers: [metrics],
    async collect() {
      this.remove();
      const disk = await statfs(dirname(path)).catch(() => undefined);
      if (disk !== undefined) this.set(disk.bavail * disk.bsize);
    },
  });
  new Gauge({
    name: "gatehouse_store_file_bytes",
    help: "Size of the embedded store's main file and of its log.",
    labelNames: ["file"],
    registers: [metrics],
    async collect() {
      this.reset();
      for (const [file, suffix] of FILES) {
        const found = await stat(`${path}${suffix}`).catch(() => undefined);
        if (found !== undefined) this.set({ file }, found.size);
      }
    },
  });
}

const FILES = [
  ["main", ""],
  ["log", "-wal"],
] as const;
