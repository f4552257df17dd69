import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { StartRefused } from "../basis/errors.ts";

/** Held until released or until the process ends, however it ends. */
export interface StoreLock {
  release(): void;
}

/**
 * Takes the data directory for this process: the embedded store is opened by one process alone (R-D3), and before it is migrated. The
 * lock is a transaction on a file of its own, which the system drops with the process.
 * @throws StartRefused when another process has it, or the file cannot be made.
 */
export function lockStore(directory: string): StoreLock {
  const path = join(directory, "gatehouse.lock");
  try {
    createPrivately(path);
    const handle = new BetterSqlite3(path, { timeout: 0 });
    handle.exec("begin exclusive");
    return { release: () => void handle.close() };
  } catch (cause) {
    const code = (cause as { code?: string }).code ?? "";
    if (code.startsWith("SQLITE_BUSY")) {
      throw new StartRefused(
        `Another Gatehouse is running in ${directory}. Stop it, or set data-directory to another.`,
        { cause },
      );
    }
    throw new StartRefused(
      `The lock ${path} cannot be made (${code || String(cause)}). Make the directory writable or set data-directory.`,
      { cause },
    );
  }
}

/** Makes the file with mode 0600, or takes the rights of others away. */
export function createPrivately(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
