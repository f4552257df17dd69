import { type StoreTrouble, storeUnavailable } from "../../basis/store-troubles.ts";
import { isDeadlock, isStalePlan } from "../database.ts";
import { type Deadlines, type Limits, limitsFor, type Purpose } from "../deadlines.ts";
import type { StoreHealth } from "../store-health.ts";
import type { StatementResult } from "./named-statement.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { endsConnection, isDeadline, postgresTroubleOf, silent, withLoss } from "./postgres-trouble.ts";
import type { StatementNames } from "./statement-names.ts";

/** Extra time for the server to report that it ended a statement. */
const ANSWER_MARGIN_MS = 2_000;
/** Lost connections to try at a transaction's beginning, before the transaction fails. */
const STALE_MAX = 3;
/** Of one statement whose plan is out of date or that was ended by a deadlock. */
const TRIES = 8;

/** The source of connections for leases. */
export interface Connections {
  /** @throws UNAVAILABLE when no connection is free in time. */
  take(): Promise<{ readonly connection: PostgresConnection; readonly isNew: boolean }>;
  leased(connection: PostgresConnection, lease: PostgresLease): void;
  giveBack(connection: PostgresConnection, isLost: boolean): void;
  /** Called when one connection is lost or does not answer: idle connections are then replaced. */
  suspectIdle(): void;
  /** Most milliseconds that a statement may take now. */
  statementMsMax(): number;
}

interface LeaseOptions {
  readonly source: Connections;
  readonly names: StatementNames;
  readonly deadlines: Deadlines;
  /** Most milliseconds that the connections wait for a lock; 0 means no limit. */
  readonly lockMs: number;
  readonly health: StoreHealth;
  readonly purpose: Purpose;
}

type Step = "begin" | "read" | "write" | "commit" | "rollback";

/** A select, also behind tables of its own, unless one of them writes. */
const READ = /^\s*(?:select\b|with\b(?!.*\b(?:insert|update|delete|merge)\b))/is;

function stepOf(sql: string): Step {
  if (sql === "begin" || sql.startsWith("start transaction")) return "begin";
  if (sql === "commit" || sql === "rollback") return sql;
  return READ.test(sql) ? "read" : "write";
}

/** The server's names for the limits that it measures. */
const SETTINGS = {
  statementMs: "statement_timeout",
  idleMs: "idle_in_transaction_session_timeout",
  lockMs: "lock_timeout",
} as const satisfies Partial<Record<keyof Limits, string>>;

/** Sets those limits of a transaction that differ from its connection's; empty when none does. */
function settingLimits(limits: Limits, ofConnection: Limits): string {
  return (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[])
    .filter((name) => limits[name] !== ofConnection[name])
    .map((name) => `; set local ${SETTINGS[name]} = ${limits[name]}`)
    .join("");
}

const WRITES: readonly string[] = ["INSERT", "UPDATE", "DELETE", "MERGE"];

const ROLLED_BACK = { command: "ROLLBACK", rowCount: null, rows: [] };

/** One use of a connection, as Kysely sees it: a transaction, or a single statement. Every answer has a deadline. */
export class PostgresLease {
  readonly #options: LeaseOptions;
  readonly #limits: Limits;
  #connection: PostgresConnection | undefined;
  #isNew = true;
  #isFirst = true;
  #lost: { readonly error: unknown; readonly trouble: StoreTrouble } | undefined;
  #inTransaction = false;
  #isOver = false;
  #readsOnly = false;
  #hasWritten = false;
  #wholeTimer: NodeJS.Timeout | undefined;
  #hurryTimer: NodeJS.Timeout | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    const { purpose, deadlines, lockMs } = options;
    this.#limits = limitsFor(purpose, deadlines, lockMs);
  }

  /** Whether its connection has begun a transaction. */
  get hasBegun(): boolean {
    return this.#inTransaction;
  }

  /** @throws UNAVAILABLE when there is no connection in time. */
  async begin(): Promise<void> {
    const { connection, isNew } = await this.#options.source.take();
    this.#connection = connection;
    this.#isNew = isNew;
    this.#options.source.leased(connection, this);
  }

  async query(sql: string, values: readonly unknown[]): Promise<unknown> {
    const step = stepOf(sql);
    if (this.#lost !== undefined) {
      // The server rolls back a transaction whose connection is lost.
      if (step === "rollback") return ROLLED_BACK;
      const { trouble, error } = this.#lost;
      const failure = storeUnavailable(trouble, error);
      // After a missed deadline nothing is retried: the caller has waited long enough.
      throw isDeadline(error) ? failure : withLoss(failure, "uncommitted");
    }
    // It waited for a statement of its transaction that was not awaited, and would be committed by itself.
    if (this.#isOver && (step === "read" || step === "write"))
      throw new Error("A statement came after the end of its transaction.");
    this.#isOver = step === "commit" || step === "rollback";
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (step === "begin") this.#readsOnly = sql.endsWith("read only");
    for (let stale = 0; ; stale++) {
      try {
        const result = await this.#answer(step, sql, values);
        this.#succeeded(step, result);
        return result;
      } catch (error) {
        const mayRepeat = isFirst && !this.#isNew && stale < STALE_MAX && (step === "begin" || step === "read");
        const { failure, isRepeated } = this.#failed(step, error, mayRepeat);
        if (!isRepeated) throw failure;
        await this.#replace();
      }
    }
  }

  /** Kysely returns the connection, or marks it as not reusable. */
  release(isDiscarded = false): void {
    clearTimeout(this.#wholeTimer);
    clearTimeout(this.#hurryTimer);
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) this.#options.source.giveBack(connection, isDiscarded || this.#lost !== undefined);
  }

  /** The process is stopping: statements under way may take this long. */
  hurry(ms: number): void {
    this.#hurryTimer ??= setTimeout(() => this.#connection?.lose(silent(ms)), ms);
  }

  async #answer(step: Step, sql: string, values: readonly unknown[]): Promise<StatementResult> {
    const { deadlines, lockMs, source, names } = this.#options;
    const connection = this.#connection;
    if (connection === undefined) throw new Error("A connection was used after it had been returned.");
    const ms = Math.min(
      step === "begin" ? deadlines.connectMs : this.#limits.statementMs + ANSWER_MARGIN_MS,
      source.statementMsMax(),
    );
    const ask = (name: string | undefined) => connection.within(ms, connection.ask(sql, values, name));
    const setting = step === "begin" ? settingLimits(this.#limits, limitsFor("ordinary", deadlines, lockMs)) : "";
    // Without a name and values several statements are one question.
    if (setting !== "") return connection.within(ms, connection.query(`${sql}${setting}`));
    for (let tried = 1; ; tried++) {
      try {
        return await ask(names.of(sql, values));
      } catch (error) {
        // A newer program has changed a table; under another name the statement is planned again, and once more when the next
        // table of a join changes meanwhile. Inside a transaction that is too late, and the transaction must be retried.
        if (isStalePlan(error)) names.another(sql);
        // Of a deadlock with such a program a statement by itself has left nothing.
        else if (!isDeadlock(error)) throw error;
        if (this.#inTransaction || tried === TRIES) throw error;
      }
    }
  }

  #succeeded(step: Step, { command, rowCount }: StatementResult): void {
    if (step === "begin") {
      this.#inTransaction = true;
      const { transactionMs } = this.#limits;
      if (transactionMs > 0) this.#wholeTimer = setTimeout(() => this.#isTooLong(transactionMs), transactionMs);
      return;
    }
    // What changes no row is not flushed and waits for no standby, so it does not show that the store takes writes.
    if (WRITES.includes(command) && rowCount !== 0) this.#hasWritten = true;
    if (this.#options.purpose === "unlogged") return;
    const isCommit = this.#inTransaction ? step === "commit" && command === "COMMIT" : step === "write";
    if (isCommit && this.#hasWritten) this.#options.health.committed();
  }

  #isTooLong(ms: number): void {
    const error = silent(ms);
    this.#lost ??= { error, trouble: "busy" };
    this.#connection?.lose(error);
  }

  /**
   * Converts an error for the caller, and reports it to the store's health, unless it is a lost connection's that another one
   * will make good.
   */
  #failed(step: Step, error: unknown, mayRepeat: boolean): { readonly failure: unknown; readonly isRepeated: boolean } {
    const { health, source } = this.#options;
    const trouble = this.#lost?.trouble ?? postgresTroubleOf(error);
    if (trouble === undefined) return { failure: error, isRepeated: mayRepeat && this.#lost !== undefined };
    if (endsConnection(trouble)) this.#lost ??= { error, trouble };
    const isRepeated = mayRepeat && this.#lost !== undefined;
    // What befell one connection has mostly befallen those that were idle meanwhile; and a change is repeated only once.
    if (trouble === "away" || isDeadline(error)) source.suspectIdle();
    if (!isRepeated) {
      const isRead = this.#inTransaction || step === "begin" ? this.#readsOnly : step === "read";
      // One slow statement does not mean that others fail.
      if (isRead || trouble === "busy") health.readFailed(trouble);
      else health.writeFailed(trouble);
    }
    const failure = storeUnavailable(trouble, error);
    return { failure: this.#saysWhatIsLost(step, failure), isRepeated };
  }

  /** The failure with what became of the caller's writes, where the connection is lost. */
  #saysWhatIsLost(step: Step, failure: ReturnType<typeof storeUnavailable>): unknown {
    if (this.#lost === undefined || isDeadline(this.#lost.error)) return failure;
    // A statement by itself is sent with its commit.
    if (!this.#inTransaction) return step === "write" ? withLoss(failure, "unknown") : failure;
    return withLoss(failure, step === "commit" ? "unknown" : "uncommitted");
  }

  async #replace(): Promise<void> {
    const lost = this.#connection;
    this.#connection = undefined;
    this.#lost = undefined;
    clearTimeout(this.#wholeTimer);
    this.#inTransaction = false;
    if (lost !== undefined) this.#options.source.giveBack(lost, true);
    await this.begin();
  }
}
