import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";

/** The store of a floor: one handle whose commits are durable, in a directory of its own that SIGTERM removes. */
export function openFloorStore(): { readonly db: BetterSqlite3.Database; readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), "gh-floor-"));
  const db = new BetterSqlite3(join(directory, "floor.sqlite"));
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  process.on("SIGTERM", () => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  });
  return { db, directory };
}

/**
 * Gathers what comes within one turn of the event loop and hands it to `work` in one transaction, as the product shares its
 * commits; `then` follows the durable commit.
 */
export function sharing<T>(
  db: BetterSqlite3.Database,
  work: (items: readonly T[]) => void,
  then: (items: readonly T[]) => void,
): (item: T) => void {
  let gathered: T[] = [];
  const inTransaction = db.transaction(work);
  return (item) => {
    gathered.push(item);
    if (gathered.length > 1) return;
    setImmediate(() => {
      const items = gathered;
      gathered = [];
      inTransaction(items);
      then(items);
    });
  };
}
