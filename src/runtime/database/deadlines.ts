import { AsyncLocalStorage } from "node:async_hooks";

/** How long PostgreSQL may be waited for, in milliseconds (decision 0040). */
export interface Deadlines {
  /** A new connection; a free one; the beginning of a transaction. */
  readonly connectMs: number;
  /** One statement, by the server's clock; ours runs a little longer. */
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
 * What a transaction is for. An export reads page by page, as fast as its reader takes them, and an import of all or nothing stores a whole
 * file, so that only their statements have a deadline.
 */
export type Purpose = "ordinary" | "migration" | "export" | "import";

const purposes = new AsyncLocalStorage<Purpose>();

/** Runs work whose transactions have the deadlines of another purpose. */
export const runFor = <T>(purpose: Purpose, work: () => T): T => purposes.run(purpose, work);

/** The purpose of the transaction that begins here. */
export const purposeHere = (): Purpose => purposes.getStore() ?? "ordinary";

/** What a transaction of that purpose may take; 0 is no limit, as PostgreSQL has it. */
export function limitsFor(
  purpose: Purpose,
  { statementMs, transactionMs, migrationMs }: Deadlines,
): { readonly statementMs: number; readonly transactionMs: number } {
  if (purpose === "migration") return { statementMs: migrationMs, transactionMs: migrationMs };
  return { statementMs, transactionMs: purpose === "ordinary" ? transactionMs : 0 };
}
