import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { checkpoint, type LogState } from "./checkpoint.ts";
import { flushNow } from "./log-flush.ts";
import { clearOverwritten } from "./overwritten.ts";

/** What the thread is given. */
export interface StoreFiles {
  /** Path of the main file. */
  readonly path: string;
  /** Number of the main file, open for writing: the thread must not close it (POSIX locks). */
  readonly mainFile: number;
}

/** What the thread is to do: copy the log, clear pages from one on, or close its handle and end. */
export type DiskOrder =
  | { readonly task: "copy" }
  | { readonly task: "clear"; readonly page: number }
  | { readonly task: "end" };

export type DiskAnswer =
  | { readonly done: unknown }
  | { readonly failed: { readonly code?: string | undefined; readonly message: string } };

/**
 * Copies as much of the log as no reader needs, and flushes log and main file around it. SQLite leaves the main file to a later pass
 * when the log has grown meanwhile, and that would be the one for which changes wait.
 * @returns the log afterwards. `undefined` where nothing was copied: the disk is full, or another handle copies.
 * @throws the error of a failed flush.
 */
function copyLog(handle: BetterSqlite3.Database, mainFile: number): LogState | undefined {
  const prepare = (sql: string) => handle.prepare(sql);
  if (checkpoint(prepare, "passive") === undefined) return undefined;
  flushNow(mainFile);
  return checkpoint(prepare, "noop");
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
  const answer = (reply: DiskAnswer) => port.postMessage(reply);
  port.on("message", (order: DiskOrder) => {
    if (order.task === "end") {
      handle.close();
      port.close();
      return;
    }
    try {
      answer({
        done: order.task === "copy" ? copyLog(handle, mainFile) : clearOverwritten(path, mainFile, order.page),
      });
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: string };
      answer({ failed: { code, message } });
    }
  });
  answer({ done: undefined });
}
