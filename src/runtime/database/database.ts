import { type Kysely, SqliteAdapter, type Transaction } from "kysely";
import { Failure } from "../basis/errors.ts";
import { isInsideChange } from "../basis/inside-change.ts";
import type { StoreHealth } from "./store-health.ts";

/** A domain's view of the store: only the tables of `T` exist in it, so another domain's table does not compile. */
export type Database<T> = Kysely<T>;

export type { Transaction };

/** A database or transaction of any owner. */
export type AnyDatabase = Pick<Kysely<unknown>, "getExecutor">;

/** A transaction of any owner; `seenAs` types it with the tables of another owner. */
export type AnyTransaction = Pick<Transaction<unknown>, "getExecutor" | "isTransaction">;

/**
 * The same transaction, typed with the tables of `T`. For the tables that all owners share: outbox, audit, remembered
 * requests.
 */
export const seenAs = <T>(tx: AnyTransaction): Transaction<T> => tx as unknown as Transaction<T>;

export type Dialect = "sqlite" | "postgres";

/** The open store; `views` of it are handed to the parts that own tables. */
export interface Store {
  readonly dialect: Dialect;
  /**
   * Of PostgreSQL: the most connections of this process, how long a request may wait for one, and how long they wait for a
   * lock by the role's or the URL's own limit; 0 means that there is none.
   */
  readonly connections?: { readonly most: number; readonly waitMs: number; readonly lockMs: number };
  /** Health, measured by the results of its writes and reads. */
  readonly health: StoreHealth;
  /** The same connections, typed with the tables of one owner. */
  view<T>(): Database<T>;
  /**
   * A read-only view of this instant, for a reading of many statements. It does not block writers. The caller closes
   * it.
   * @throws UNAVAILABLE, also when half of the connections to PostgreSQL have one (R-X369).
   */
  snapshot<T>(): Promise<Snapshot<T>>;
  /**
   * Inside a change: calls `call` before its commit, where changes may share one and no other shares this one, so that what
   * `call` wakes can share it (decision 0075). May never call it.
   */
  beforeCommit(call: () => void): void;
  /**
   * Takes what was overwritten or deleted out of the store's files, as far as that is up to us (decision 0059). `false`
   * while a reader keeps it: to be tried again.
   */
  forgetOverwritten(): Promise<boolean>;
  close(): Promise<void>;
}

/** A store of one instant, for reading only. */
export interface Snapshot<T> {
  readonly db: Database<T>;
  close(): Promise<void>;
}

export function isSqlite(db: AnyDatabase): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

interface Lockable<Q> {
  forUpdate(): Q & { skipLocked(): Q };
}

/** Locks the selected rows, and waits for who has locked them. On SQLite there is only one write transaction at a time. */
export function locked<Q extends Lockable<Q>>(db: AnyDatabase, query: Q): Q {
  return isSqlite(db) ? query : query.forUpdate();
}

/**
 * Locks the selected rows and skips those that another transaction has locked, so that two claimants never wait for
 * each other. On SQLite this is not needed: there is only one write transaction at a time.
 */
export function skipLocked<Q extends Lockable<Q>>(db: AnyDatabase, query: Q): Q {
  return isSqlite(db) ? query : query.forUpdate().skipLocked();
}

interface DriverError {
  readonly code?: unknown;
  readonly routine?: unknown;
}

/** True when a write broke a unique constraint or primary key, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as DriverError | undefined)?.code;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY";
}

/** True when a write broke any constraint, on either database. */
export function isConstraintViolation(error: unknown): boolean {
  const code = (error as DriverError | undefined)?.code;
  return typeof code === "string" && (/^23\w{3}$/.test(code) || code.startsWith("SQLITE_CONSTRAINT"));
}

/**
 * True when the transaction may be retried: lock conflicts, serialization failures, deadlocks, statements planned
 * before a migration changed their tables.
 */
export function isRetryable(error: unknown): boolean {
  // A store that others keep locked has already become a Failure; the database's error is its cause.
  const said = error instanceof Failure ? error.cause : error;
  const code = (said as DriverError | undefined)?.code;
  if (typeof code !== "string") return false;
  return code.startsWith("SQLITE_BUSY") || code === "40001" || isDeadlock(said) || isStalePlan(said);
}

/** PostgreSQL's error for the one of several transactions that it ended, since all waited for each other. */
export const isDeadlock = (error: unknown): boolean => (error as DriverError | undefined)?.code === "40P01";

/** True when PostgreSQL's `lock_timeout` ended a statement, which the store's driver has made a Failure. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Failure && (error.cause as DriverError | undefined)?.code === "55P03";

/**
 * PostgreSQL's error for a prepared statement whose columns have changed. It has no SQLSTATE of its own, and its message is in
 * the server's language (`lc_messages`): it is known by the place in the server that raised it.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as DriverError;
  return code === "0A000" && routine === "RevalidateCachedQuery";
}

/**
 * Refuses a second connection while a change is open. On SQLite it could wait for its own transaction, on PostgreSQL
 * for a pool that such changes have exhausted. Its statements would also be outside the change's transaction.
 */
export function assertNoOpenChange(): void {
  if (isInsideChange())
    throw new Error("A statement went beside the change that is open; it must go through change.db.");
}
