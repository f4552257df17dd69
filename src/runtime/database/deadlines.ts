import { AsyncLocalStorage } from "node:async_hooks";

/** Deadlines for PostgreSQL, in milliseconds (decision 0040). */
export interface Deadlines {
  /** Opening a connection; waiting for a free one; beginning a transaction. */
  readonly connectMs: number;
  /** One statement, measured by the server; our own timer runs a little longer. */
  readonly statementMs: number;
  /** One transaction, from its beginning to its commit. */
  readonly transactionMs: number;
  /** One statement of a migration, and all migrations together. */
  readonly migrationMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 5_000,
  statementMs: 15_000,
  transactionMs: 30_000,
  migrationMs: 3_600_000,
};

/**
 * What a transaction is for. An export runs as fast as its reader takes pages, and an all-or-nothing import stores a
 * whole file in one transaction; both therefore have a deadline for each statement only. Between two statements an export waits
 * for its reader and locks nothing; an import waits for nobody, and would keep its locks while its process is stopped. What
 * is written into an unlogged table alone is ordinary, but waits for no disk and no standby: it does not show that the store
 * takes writes. What a caller asks for is ordinary, but waits for a lock for a moment only: those behind it want its turn
 * (R-X411).
 */
export type Purpose = "ordinary" | "requested" | "unlogged" | "migration" | "export" | "import";

/** Work that stores no whole file and waits for no reader. */
const ORDINARY: readonly Purpose[] = ["ordinary", "requested", "unlogged"];

/**
 * Between two statements of such work the process computes for a moment. What lasts longer is a process that hangs, or a network that
 * has forgotten the connection: the server ends the transaction, and others get its locks.
 */
const ORDINARY_IDLE_MS = 5_000;

/** How long what a caller asks for keeps its turn while it waits for a lock; then it begins again behind others (R-X411). */
const LOCK_TURN_MS = 250;

const purposes = new AsyncLocalStorage<Purpose>();

/** Runs work whose transactions have another purpose. */
export const runFor = <T>(purpose: Purpose, work: () => T): T => purposes.run(purpose, work);

/** The purpose of the transaction that begins here. */
export const purposeHere = (): Purpose => purposes.getStore() ?? "ordinary";

/** Milliseconds; 0 means no limit, as in PostgreSQL. */
export interface Limits {
  readonly statementMs: number;
  readonly transactionMs: number;
  /** Between two statements of a transaction, measured by the server. */
  readonly idleMs: number;
  /** Waiting for one lock, measured by the server. */
  readonly lockMs: number;
}

/**
 * Limits of a transaction of that purpose.
 * @param lockMs the connections' own limit of waiting for a lock.
 */
export function limitsFor(purpose: Purpose, deadlines: Deadlines, lockMs: number): Limits {
  const { connectMs, statementMs, transactionMs, migrationMs } = deadlines;
  if (purpose === "migration")
    return { statementMs: migrationMs, transactionMs: migrationMs, idleMs: migrationMs, lockMs };
  const isOrdinary = ORDINARY.includes(purpose);
  const ofLongWork = purpose === "export" ? 0 : transactionMs;
  return {
    statementMs,
    transactionMs: isOrdinary ? transactionMs : 0,
    idleMs: isOrdinary ? Math.min(ORDINARY_IDLE_MS, transactionMs) : ofLongWork,
    lockMs: purpose === "requested" ? Math.min(lockMs === 0 ? LOCK_TURN_MS : lockMs, connectMs) : lockMs,
  };
}
