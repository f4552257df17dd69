import { fdatasyncSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { flushFailure, isFlushFailure } from "./store-trouble.ts";

/** What the thread is given. */
export interface StoreFiles {
  /** Path of the main file. */
  readonly path: string;
  /** Number of the main file, open for writing: the thread must not close it (POSIX locks). */
  readonly mainFile: number;
}

/** What the thread is told: to copy what it can, or to close its handle and end. */
export type LogOrder = "copy" | "end";

/** The log in pages. */
export interface LogState {
  readonly pages: number;
  /** Of these, how many the main file has by now. */
  readonly copied: number;
}

/** `undefined` where nothing was copied: the disk is full, or another handle copies at the moment. */
export type LogAnswer = { readonly state: LogState | undefined } | { readonly flushFailed: string };

/**
 * Copies as much of the log as no reader needs, and flushes log and main file around it. SQLite leaves the main file to a later pass
 * when the log has grown meanwhile, and that would be the one for which changes wait.
 * @returns the log afterwards.
 * @throws the error of a failed flush.
 */
function copy(handle: BetterSqlite3.Database, mainFile: number): LogState | undefined {
  if (checkpoint(handle, "passive") === undefined) return undefined;
  try {
    fdatasyncSync(mainFile);
  } catch (error) {
    throw flushFailure("The main file of the store was not flushed.", error);
  }
  return checkpoint(handle, "noop");
}

function checkpoint(handle: BetterSqlite3.Database, mode: "noop" | "passive"): LogState | undefined {
  try {
    const [outcome] = handle.pragma(`wal_checkpoint(${mode})`) as readonly {
      readonly log: number;
      readonly checkpointed: number;
    }[];
    return outcome && { pages: outcome.log, copied: outcome.checkpointed };
  } catch (error) {
    if (isFlushFailure(error)) throw error;
    return undefined;
  }
}

/** @throws the database's error when the file cannot be opened. */
function open(path: string): BetterSqlite3.Database {
  const handle = new BetterSqlite3(path, { fileMustExist: true, timeout: 0 });
  handle.pragma("synchronous = normal");
  handle.pragma("wal_autocheckpoint = 0");
  // The first read opens the log.
  handle.prepare("select count(*) from sqlite_schema").get();
  return handle;
}

if (parentPort !== null) {
  const port = parentPort;
  const { path, mainFile } = workerData as StoreFiles;
  const handle = open(path);
  const answer = (told: LogAnswer) => port.postMessage(told);
  port.on("message", (order: LogOrder) => {
    if (order === "end") {
      handle.close();
      port.close();
      return;
    }
    try {
      answer({ state: copy(handle, mainFile) });
    } catch (error) {
      answer({ flushFailed: (error as Error).message });
    }
  });
  answer({ state: undefined });
}
