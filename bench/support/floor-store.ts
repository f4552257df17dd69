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
