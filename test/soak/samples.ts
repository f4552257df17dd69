import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { residentMib } from "../../harness/process-cost.ts";
import type { PostgresStore } from "../faults/weather/postgres-store.ts";

/** Quantities of a sample that are no tables. */
export const MEMORY = "resident memory, MiB";
export const HANDLES = "open handles";
export const MAIN_FILE = "main file, KiB";
export const LOG_FILE = "log, KiB";
export const CONNECTIONS = "connections to PostgreSQL";
export const SERVER_MEMORY = "memory of their server processes, MiB";
export const DATABASE = "database, KiB";
export const WRITE_AHEAD_LOG = "write-ahead log, KiB";

const KIB = 1_024;

type Quantities = readonly (readonly [string, number])[];

/** Rows of every table, and what the store takes of the machine. The store is only read. */
export type StoreLook = () => Promise<Quantities>;

/** What the process takes of the machine, and its store. */
export const valuesOf = async (pid: number, store: StoreLook): Promise<ReadonlyMap<string, number>> =>
  new Map([
    ...(await store()),
    [MEMORY, Math.round(residentMib(pid))],
    [HANDLES, readdirSync(`/proc/${pid}/fd`).length],
  ]);

/** @param directory of the data. */
export const embeddedLook = (directory: string): StoreLook => {
  const file = join(directory, "gatehouse.sqlite");
  const kib = (path: string) => Math.round((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / KIB);
  return async () => [...rowsOf(file), [MAIN_FILE, kib(file)], [LOG_FILE, kib(`${file}-wal`)]];
};

function rowsOf(file: string): Quantities {
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

export const postgresLook = ({ query }: PostgresStore): StoreLook => {
  return async () => {
    const tables = await query(
      "select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1",
    );
    const counts = tables.map(({ relname }) => `(select count(*) from "${relname}")::integer as "${relname}"`);
    const [sizes = {}] = await query(`select ${counts.join(", ")},
      (pg_database_size(current_database()) / ${KIB})::integer as "${DATABASE}",
      (select sum(size) / ${KIB} from pg_ls_waldir())::integer as "${WRITE_AHEAD_LOG}"`);
    const ours = await query(
      "select pid from pg_stat_activity where datname = current_database() and application_name like 'gatehouse%'",
    );
    return [
      ...Object.entries(sizes).map(([name, value]) => [name, Number(value)] as const),
      [CONNECTIONS, ours.length],
      [SERVER_MEMORY, Math.round(ours.reduce((sum, { pid }) => sum + ownKib(Number(pid)), 0) / KIB)],
    ];
  };
};

/** Memory that a process shares with no other; 0 of one that has ended. */
function ownKib(pid: number): number {
  try {
    const said = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return [...said.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].reduce((sum, [, kib]) => sum + Number(kib), 0);
  } catch {
    return 0;
  }
}
