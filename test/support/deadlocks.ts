import { sql } from "kysely";
import pg from "pg";
import type { Database, Transaction } from "../../src/runtime/database/database.ts";
import { eventually } from "./eventually.ts";
import { LOCK_WAITS } from "./lock-waits.ts";
import { inTransaction, type TestStore } from "./stores.ts";

type Anything = Record<string, Record<string, unknown>>;

const viewOf = ({ store }: TestStore): Database<Anything> => store.view<Anything>();

/**
 * How many transactions PostgreSQL has ended in the database of these stores because they waited for each other. Closes
 * the stores, since a connection reports what it counted when it ends.
 */
export async function deadlocksOf(opened: readonly TestStore[]): Promise<number> {
  for (const { wake, store } of opened) {
    await wake.close();
    await store.close();
  }
  const client = new pg.Client({ connectionString: opened[0]?.location });
  await client.connect();
  try {
    const others = () =>
      client.query("select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
    await eventually(others, ({ rowCount }) => rowCount === 0);
    const { rows } = await client.query("select deadlocks from pg_stat_database where datname = current_database()");
    return Number(rows[0].deadlocks);
  } finally {
    await client.end();
  }
}

/**
 * The stores of so many processes, in which what callers ask for keeps what it has locked while it waits for more. By itself
 * it begins again after a moment (R-X411), before PostgreSQL finds that two wait for each other.
 */
export async function patientRacers(observer: TestStore, count: number): Promise<readonly TestStore[]> {
  await sql`
    do $$ begin
      execute format('alter database %I set lock_timeout = %L', current_database(), '60s');
    end $$`.execute(viewOf(observer));
  return observer.racers(count);
}

/** A transaction that keeps others waiting until it is ended. */
export interface Blocker {
  /** Resolves when it has ended. */
  end(): Promise<void>;
}

/** Begins one that has locked what `lock` locks. */
export async function blocker<T = Anything>(
  { store }: Pick<TestStore, "store">,
  lock: (tx: Transaction<T>) => Promise<unknown>,
): Promise<Blocker> {
  const isLocked = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  const locking = inTransaction(store.view<T>(), async (tx) => {
    await lock(tx);
    isLocked.resolve();
    await isOver.promise;
  });
  await Promise.race([isLocked.promise, locking]);
  return {
    end() {
      isOver.resolve();
      return locking;
    },
  };
}

/** Resolves when so many connections wait for locks. */
export async function waitForLocks(observer: TestStore, count: number): Promise<void> {
  const waiting = () => sql.raw(LOCK_WAITS).execute(viewOf(observer));
  await eventually(waiting, ({ rows }) => rows.length >= count);
}
