import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { cureOfFile } from "../../basis/directories.ts";
import { CannotStart } from "../../basis/errors.ts";

/** Lasts until released, or until the process ends in any way. */
export interface Lock {
  release(): void;
}

/**
 * Locks the data directory for this process before the store is migrated: only one process may open the embedded store
 * (R-D3). The lock is a transaction on a file of its own; the system releases it when the process ends.
 * @throws CannotStart when another process has it, or the file cannot be made.
 */
export function lockStore(directory: string): Lock {
  const path = join(directory, "gatehouse.lock");
  try {
    return lockFile(path);
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? "";
    if (isTaken(cause)) {
      throw new CannotStart(
        `Another Gatehouse is running in ${directory}. Stop it, or set data-directory to another.`,
        { cause },
      );
    }
    if (code === "ENOENT")
      throw new CannotStart(
        `There is no directory ${directory}. Set data-directory, or make it (mode 0700) and put the store's master.key there.`,
        { cause },
      );
    const cure = cureOfFile(
      directory,
      code,
      "Make the directory writable or free space on its disk, or set data-directory.",
    );
    throw new CannotStart(`The lock ${path} cannot be made (${code || String(cause)}). ${cure}`, { cause });
  }
}

/**
 * Locks a file of its own, which is made if it is not there: a transaction on it, which the system ends with the process.
 * @throws the error of the database or the system; see `isTaken`.
 */
export function lockFile(path: string): Lock {
  createPrivately(path);
  const handle = new BetterSqlite3(path, { timeout: 0 });
  try {
    handle.exec("begin exclusive");
  } catch (error) {
    handle.close();
    throw error;
  }
  return { release: () => void handle.close() };
}

/** True when another process has locked the file. */
export const isTaken = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith("SQLITE_BUSY") === true;

/** Creates the file with mode 0600, or removes the rights of others from an existing one. */
export function createPrivately(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
