import { closeSync, openSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { systemClock } from "../basis/clock.ts";
import { STORE_FILE_STATES } from "../database/sqlite/store-file.ts";
import { zeroUnusedBytes } from "../database/sqlite/unused-bytes.ts";
import { type LackingSpace, lackingSpace } from "./copy-space.ts";
import { countRows } from "./row-counts.ts";

/** What the thread is asked to do with the store whose main file is at `store`. */
export type StoreOrder =
  | { readonly task: "copy"; readonly store: string; readonly to: string }
  | { readonly task: "measure"; readonly store: string; readonly ages: readonly AgeQuestion[] };

/** How many rows of a table have an instant in that column before `before`. */
export interface AgeQuestion {
  readonly table: string;
  readonly age: string;
  readonly before: number;
  /** The primary key, where it rises with the age, which has no index then. */
  readonly along?: string | undefined;
}

export interface CopiedStore {
  /** Rows of each table of the store, as of the instant that the copy shows. */
  readonly rows: ReadonlyMap<string, number>;
  /** The copy has everything that was committed before this instant. */
  readonly madeAt: Date;
}

export interface MeasuredTable {
  readonly table: string;
  readonly rows: number;
  /** The rows were not counted. */
  readonly isEstimate: boolean;
  /** With its indexes. */
  readonly bytes: number;
  /** Answer to the question about its age; 0 without one. */
  readonly old: number;
}

export type StoreAnswer<T> = { readonly done: T } | { readonly failed: StoreFailure };

export interface StoreFailure {
  readonly code?: string | undefined;
  readonly message: string;
  /** Why a copy was not begun. */
  readonly lack?: LackingSpace | undefined;
}

type Handle = BetterSqlite3.Database;

/** Pages per step; between two steps the thread could be ended. */
const PAGES_PER_STEP = 1_000;

/**
 * Copies the store as it is at one instant, by SQLite's backup: a transaction that only reads keeps the view while
 * others write. Then clears the copy's unused bytes, and marks it as a backup.
 */
async function copy(store: Handle, to: string): Promise<CopiedStore> {
  // Before the first read, which fixes the copy's view: what was committed before is in it.
  const madeAt = systemClock.now();
  assertFits(store, to);
  const rows = countRows(store);
  await store.backup(to, { progress: () => PAGES_PER_STEP });
  forgetUnused(to);
  markAsBackup(to, { rows, madeAt });
  return { rows, madeAt };
}

/** @throws Error with the code ENOSPC and what is lacking, before a byte is written. */
function assertFits(store: Handle, to: string): void {
  const [pages, pageBytes] = [
    store.pragma("page_count", { simple: true }),
    store.pragma("page_size", { simple: true }),
  ];
  const lack = lackingSpace(store.name, to, Number(pages) * Number(pageBytes));
  if (lack !== undefined) throw Object.assign(new Error("The copy would not fit."), { code: "ENOSPC", lack });
}

/** Parts of what was erased may be left in pages of the store (decision 0081). */
function forgetUnused(copy: string): void {
  const file = openSync(copy, "r+");
  try {
    for (let page = 1; zeroUnusedBytes(file, page, PAGES_PER_STEP); page += PAGES_PER_STEP);
  } finally {
    closeSync(file);
  }
}

function markAsBackup(to: string, { rows, madeAt }: CopiedStore): void {
  const copied = new BetterSqlite3(to, { timeout: 5_000 });
  try {
    // One file, which says what it is: a store that somebody puts in place by hand is recognised.
    copied.pragma("journal_mode = delete");
    copied.pragma(`user_version = ${STORE_FILE_STATES.backup}`);
    // Once it is restored, it is the last backup that is known.
    if (rows.has("store_identities"))
      copied.prepare("update store_identities set backed_up_at = ?").run(madeAt.getTime());
  } finally {
    copied.close();
  }
}

function measure(store: Handle, ages: readonly AgeQuestion[]): readonly MeasuredTable[] {
  const bytes = bytesOfTables(store);
  return [...countRows(store)].map(([table, rows]) => {
    const question = ages.find((one) => one.table === table);
    const old =
      question &&
      store
        .prepare<[number], number>(`select count(*) from "${table}" where "${question.age}" < ?`)
        .pluck()
        .get(question.before);
    return { table, rows, isEstimate: false, bytes: bytes.get(table) ?? 0, old: old ?? 0 };
  });
}

/** With their indexes. Page by page: the sum in SQL would be one statement over the whole file, which nothing interrupts (R-X395). */
function bytesOfTables(store: Handle): ReadonlyMap<string, number> {
  const tables = new Map(store.prepare<[], [string, string]>("select name, tbl_name from sqlite_schema").raw().all());
  const bytes = new Map<string, number>();
  for (const [name, size] of store.prepare<[], [string, number]>("select name, pgsize from dbstat").raw().iterate()) {
    const table = tables.get(name);
    if (table !== undefined) bytes.set(table, (bytes.get(table) ?? 0) + size);
  }
  return bytes;
}

async function work(order: StoreOrder): Promise<unknown> {
  const store = new BetterSqlite3(order.store, { readonly: true, timeout: 5_000 });
  try {
    store.exec("begin");
    return await (order.task === "copy" ? copy(store, order.to) : measure(store, order.ages));
  } finally {
    store.close();
  }
}

if (parentPort !== null) {
  const port = parentPort;
  work(workerData as StoreOrder).then(
    (done) => port.postMessage({ done } satisfies StoreAnswer<unknown>),
    ({ code, message, lack }: StoreFailure) =>
      port.postMessage({ failed: { code, message, lack } } satisfies StoreAnswer<unknown>),
  );
}
