import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { residentMib } from "../../harness/process-cost.ts";

/** Quantities of a sample that are no tables. */
export const MEMORY = "resident memory, MiB";
export const HANDLES = "open handles";
export const MAIN_FILE = "main file, KiB";
export const LOG_FILE = "log, KiB";

const KIB = 1_024;

/** Rows of every table, and what the process takes of the machine. The store is only read. */
export function look(directory: string, pid: number): ReadonlyMap<string, number> {
  const file = join(directory, "gatehouse.sqlite");
  const kib = (path: string) => Math.round((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / KIB);
  return new Map([
    ...rowsOf(file),
    [MEMORY, Math.round(residentMib(pid))],
    [HANDLES, readdirSync(`/proc/${pid}/fd`).length],
    [MAIN_FILE, kib(file)],
    [LOG_FILE, kib(`${file}-wal`)],
  ]);
}

function rowsOf(file: string): readonly (readonly [string, number])[] {
  const store = new BetterSqlite3(file, { readonly: true, timeout: 5_000 });
  try {
    const names = store
      .prepare<[], string>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .pluck()
      .all();
    return names.map((name) => [name, store.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0]);
  } finally {
    store.close();
  }
}
