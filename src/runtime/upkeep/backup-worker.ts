import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { STORE_FILE_STATES } from "../database/store-file.ts";

/** What the thread is given: the store's main file, and an empty file. */
export interface CopyOrder {
  readonly from: string;
  readonly to: string;
}

export interface CopiedStore {
  readonly tables: number;
  readonly rows: number;
  /** The instant that the copy shows. */
  readonly madeAt: Date;
}

export type CopyAnswer = CopiedStore | { readonly failed: { readonly code?: string; readonly message: string } };

/** Pages per step; between two steps the thread could be ended. */
const PAGES_PER_STEP = 1_000;

/**
 * Copies the store as it is at one instant, by SQLite's backup: a transaction that only reads keeps the view while
 * others write. Then compares every table's count with the store, and has SQLite check the copy.
 */
async function copy({ from, to }: CopyOrder): Promise<CopiedStore> {
  const store = new BetterSqlite3(from, { readonly: true, timeout: 5_000 });
  try {
    store.exec("begin");
    const counted = countRows(store);
    const madeAt = new Date();
    await store.backup(to, { progress: () => PAGES_PER_STEP });
    const copied = new BetterSqlite3(to, { timeout: 5_000 });
    try {
      // One file, which says what it is: a store that somebody puts in place by hand is recognised.
      copied.pragma("journal_mode = delete");
      copied.pragma(`user_version = ${STORE_FILE_STATES.backup}`);
      const found = copied.pragma("integrity_check(1)", { simple: true });
      if (found !== "ok") throw new Error(`the copy is damaged: ${found}`);
      const recounted = countRows(copied);
      const different = [...counted].filter(([table, rows]) => recounted.get(table) !== rows).map(([table]) => table);
      if (different.length > 0) throw new Error(`the copy differs from the store in ${different.join(", ")}`);
      return { tables: counted.size, rows: [...counted.values()].reduce((sum, rows) => sum + rows, 0), madeAt };
    } finally {
      copied.close();
    }
  } finally {
    store.close();
  }
}

function countRows(store: BetterSqlite3.Database): ReadonlyMap<string, number> {
  const names = store
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  return new Map(
    names.map((name) => [name, store.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0]),
  );
}

if (parentPort !== null) {
  const port = parentPort;
  copy(workerData as CopyOrder).then(
    (copied) => port.postMessage(copied satisfies CopyAnswer),
    ({ code, message }: { code?: string; message: string }) =>
      port.postMessage({ failed: { ...(code !== undefined && { code }), message } } satisfies CopyAnswer),
  );
}
