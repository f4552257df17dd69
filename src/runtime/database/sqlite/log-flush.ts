import { close, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { flushFailure } from "../store-trouble.ts";

/** Flushes the embedded store's write-ahead log, which SQLite has written (decision 0076). */
export interface LogFlush {
  /** In libuv's pool. Calls `ended` with an error that has SQLite's code for a failed flush, or with nothing. */
  flush(ended: (error?: Error) => void): void;
  close(): void;
}

/**
 * Flushes a file of a store on the thread that calls.
 * @throws an error with SQLite's code for a failed flush.
 */
export function flushNow(file: number): void {
  try {
    fdatasyncSync(file);
  } catch (error) {
    throw flushFailure("A file of the store was not flushed.", error);
  }
}

/** @param path of the log, which is there once its database is open. */
export function openLogFlush(path: string): LogFlush {
  const file = openSync(path, "r+");
  return {
    flush: (ended) =>
      fdatasync(file, (error) =>
        ended(error === null ? undefined : flushFailure("The log of the store was not flushed.", error)),
      ),
    // Closing a file may wait for the disk too.
    close: () => close(file),
  };
}
