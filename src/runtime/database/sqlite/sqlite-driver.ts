import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type LimitNode,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { isChangeAlone } from "../../basis/inside-change.ts";
import { assertNoOpenChange } from "../database.ts";
import type { DirectAccess } from "../prepared.ts";
import type { Query } from "./prepared-handle.ts";
import { Reader } from "./sqlite-reader.ts";
import { type SqliteHandles, Writer } from "./sqlite-writer.ts";

/**
 * Kysely over two better-sqlite3 handles. Reads never wait for a write: they have a handle of their own. Write transactions take turns
 * on the other handle, and those that come close together share one durable commit: each of several statements is a savepoint
 * of the same SQLite transaction, and each reply waits for its commit. Statements are prepared once. Trouble of the store becomes an
 * UNAVAILABLE failure.
 */
export class SqliteDialect implements Dialect {
  readonly #handles: SqliteHandles;
  readonly #reader: Reader;
  readonly #writer: Writer;
  #closed: Promise<void> | undefined;

  constructor(handles: SqliteHandles) {
    this.#handles = handles;
    this.#reader = new Reader(handles);
    this.#writer = new Writer(handles, this.#reader);
  }

  /** Inside a write transaction: calls `call` before its commit, which what `call` begins at once shares. */
  beforeCommit(call: () => void): void {
    this.#writer.beforeCommit(call);
  }

  /** Calls `work` while no change is open, none of our reads is under way and everything that was committed is flushed. */
  quietly<T>(work: () => T): Promise<Awaited<T>> {
    assertNoOpenChange();
    return this.#writer.quietly(() => {
      this.#reader.endSharing();
      return work();
    });
  }

  /** Calls `work` once most of the log is copied and no copy is under way, with the pages of it that are left. */
  withLogCopied<T>(work: (pagesLeft: number) => Promise<T>): Promise<T> {
    assertNoOpenChange();
    return this.#writer.withLogCopied(work);
  }

  /** As the writer's, while none of our reads is under way. */
  insteadOfFlush<T>(pages: number, work: () => Promise<T>): Promise<T> {
    assertNoOpenChange();
    return this.#writer.insteadOfFlush(pages, () => {
      this.#reader.endSharing();
      return work();
    });
  }

  /** Commits what waits, flushes it, and closes the handles. Called again, it waits for the same end. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { reader, beforeClosing, afterClosing } = this.#handles;
    await this.#writer.end();
    this.#reader.endSharing();
    // The last handle that writes copies the log and removes it, unless the log is in doubt.
    const closing = [() => reader.close(), () => this.#writer.close()];
    if (this.#writer.logIsInDoubt) closing.reverse();
    try {
      if (!this.#writer.logIsInDoubt) beforeClosing?.();
    } finally {
      for (const close of closing) close();
    }
    afterClosing?.();
  }

  createAdapter = (): TwoConnectionsAdapter => new TwoConnectionsAdapter(this.#reader, this.#writer);
  createDriver = (): Driver => new TwoConnectionsDriver(this, this.#reader, this.#writer);
  createIntrospector = (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db);
  createQueryCompiler = (): QueryCompiler => new SteadyPlanCompiler();
}

/**
 * SQLite plans by the value of a bare `?` in a limit or next to an indexed column, so it prepares the statement again
 * each time one is bound (up to ten times the cost of running it); an expression has no such effect. A `+` changes
 * neither value nor affinity. A condition that a partial index names must be a literal (`sql.lit`), else SQLite does
 * not use the index. Statements written as text spell it `limit ${n} + 0` themselves.
 */
class SteadyPlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }

  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }
}

/** Without this adapter, Kysely serialises all statements with one mutex. */
class TwoConnectionsAdapter extends SqliteAdapter implements DirectAccess {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    super();
    this.#reader = reader;
    this.#writer = writer;
  }

  override get supportsMultipleConnections(): boolean {
    return true;
  }

  readNow<R>(query: Query): R[] | undefined {
    assertNoOpenChange();
    return this.#reader.rows<R>(query);
  }

  write(query: Query): Promise<QueryResult<unknown>> {
    assertNoOpenChange();
    return this.#writer.runMember(query, isChangeAlone());
  }

  get view(): number | undefined {
    return this.#reader.view;
  }
}

/** Kysely's connection: it reads on the reading handle until a transaction begins. */
class Connection implements DatabaseConnection {
  readonly #reader: Reader;
  readonly writer: Writer;
  inTransaction = false;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.writer = writer;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.inTransaction) return this.writer.run<R>(query);
    const rows = this.#reader.rows<R>(query);
    if (rows !== undefined) return { rows };
    // A single writing statement is a transaction of its own, and shares a commit like the others.
    return this.writer.runMember<R>(query, isChangeAlone());
  }

  // biome-ignore lint/correctness/useYield: an iterating statement would block its handle; lists are read in pages instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming is not offered on SQLite: read in pages.");
  }
}

class TwoConnectionsDriver implements Driver {
  readonly #dialect: SqliteDialect;
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(dialect: SqliteDialect, reader: Reader, writer: Writer) {
    this.#dialect = dialect;
    this.#reader = reader;
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    assertNoOpenChange();
    return new Connection(this.#reader, this.#writer);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.writer.begin(isChangeAlone());
    connection.inTransaction = true;
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.inTransaction = false;
    await connection.writer.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // Kysely also rolls back after a failed commit, but by then that member has left and another one has the turn.
    if (!connection.inTransaction) return;
    connection.inTransaction = false;
    await connection.writer.rollback();
  }

  async savepoint(connection: Connection, name: string): Promise<void> {
    connection.writer.run(CompiledQuery.raw(`savepoint "${name}"`));
  }

  async rollbackToSavepoint(connection: Connection, name: string): Promise<void> {
    connection.writer.run(CompiledQuery.raw(`rollback to "${name}"`));
  }

  async releaseSavepoint(connection: Connection, name: string): Promise<void> {
    connection.writer.run(CompiledQuery.raw(`release "${name}"`));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#dialect.close();
  }
}
