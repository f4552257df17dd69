import BetterSqlite3 from "better-sqlite3";
import { zeroUnusedBytes } from "./unused-bytes.ts";

/** So many pages are cleared while no change begins. */
export const PAGES_CLEARED_AT_ONCE = 4_000;
/** Reads of the program end with their turn of the event loop. */
const READERS_WAIT_MS = 200;

/** `needed`: a reader keeps what the log has. `more`: the file has pages behind these. */
export type Cleared = "needed" | "more" | "done";

/**
 * Takes what was overwritten out of the log, and out of the main file's pages from `page` on. Nobody may write meanwhile; readers
 * may go on.
 * @param path of the main file.
 * @param mainFile its number, open for writing.
 * @throws the database's or the system's error.
 */
export function clearOverwritten(path: string, mainFile: number, page: number): Cleared {
  if (!emptyLog(path)) return "needed";
  return zeroUnusedBytes(mainFile, page, PAGES_CLEARED_AT_ONCE) ? "more" : "done";
}

/**
 * Copies the log into the main file and cuts it to nothing. The main file has zeros where something was deleted; the log
 * would keep old pages until it is written over. `false` when a reader or an open commit needs the log.
 */
function emptyLog(path: string): boolean {
  const handle = new BetterSqlite3(path, { fileMustExist: true, timeout: READERS_WAIT_MS });
  try {
    handle.pragma("synchronous = full");
    // A copy that SQLite makes with a commit keeps a failed flush to itself (decision 0039).
    handle.pragma("wal_autocheckpoint = 0");
    // A commit that changes nothing: the store's handles then forget the pages that they keep in memory.
    handle.pragma(`user_version = ${handle.pragma("user_version", { simple: true })}`);
    const [outcome] = handle.pragma("wal_checkpoint(truncate)") as readonly { readonly busy: number }[];
    return outcome?.busy === 0;
  } catch (error) {
    if ((error as { readonly code?: string }).code?.startsWith("SQLITE_BUSY") !== true) throw error;
    return false;
  } finally {
    handle.close();
  }
}
