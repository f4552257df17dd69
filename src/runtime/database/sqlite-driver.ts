import type BetterSqlite3 from "better-sqlite3";
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
import { assertNoOpenChange } from "./database.ts";

type Handle = BetterSqlite3.Database;
type Statement = BetterSqlite3.Statement<unknown[], unknown>;

/** More members would let the first one wait long for its commit. */
const GROUP_MEMBERS_MAX = 64;
const STATEMENTS_CACHED_MAX = 1_000;

/**
 * Kysely over two better-sqlite3 handles. Reads never wait for a write: they have a handle of their own. Write transactions take turns
 * on the other handle, and those that wait for each other share one durable commit: each is a savepoint of the same SQLite
 * transaction, and each reply waits for its commit. Statements are prepared once.
 */
export class SqliteDialect implements Dialect {
  readonly #handles: { readonly reader: Handle; readonly writer: Handle };

  constructor(handles: { readonly reader: Handle; readonly writer: Handle }) {
    this.#handles = handles;
  }

  createAdapter = (): TwoConnectionsAdapter => new TwoConnectionsAdapter();
  createDriver = (): Driver => new TwoConnectionsDriver(this.#handles.reader, this.#handles.writer);
  createIntrospector = (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db);
  createQueryCompiler = (): QueryCompiler => new SteadyPlanCompiler();
}

/**
 * SQLite plans by the value of a bare `?` in a limit or next to an indexed column, so it prepares the statement anew each time one is
 * bound (up to ten times the cost of running it); it does not look into an expression. A `+` changes neither value nor affinity. A
 * condition that a partial index names must be a literal (`sql.lit`), else the index is out of its sight. Statements written as text
 * spell it `limit ${n} + 0` themselves.
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

/** Without this, Kysely puts one mutex around everything. */
class TwoConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** A handle with its prepared statements. */
class PreparedHandle {
  readonly handle: Handle;
  readonly #statements = new Map<string, Statement>();

  constructor(handle: Handle) {
    this.handle = handle;
  }

  prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.handle.prepare<unknown[], unknown>(sql);
    // Statements with lists of varying length could fill the memory; starting over is rare and cheap.
    if (this.#statements.size >= STATEMENTS_CACHED_MAX) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  run<R>(query: { readonly sql: string; readonly parameters: readonly unknown[] }): QueryResult<R> {
    const statement = this.prepare(query.sql);
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
}

/** Write transactions that wait for each other and commit together. */
interface Group {
  readonly committed: PromiseWithResolvers<void>;
  members: number;
}

/** The one writing handle: whose turn it is, and the group that is open on it. */
class Writer {
  readonly prepared: PreparedHandle;
  readonly #queue: (() => void)[] = [];
  #taken = false;
  #waiting = 0;
  #group: Group | undefined;

  constructor(handle: Handle) {
    this.prepared = new PreparedHandle(handle);
  }

  async begin(): Promise<void> {
    this.#waiting++;
    await this.#take();
    this.#waiting--;
    try {
      if (this.#group === undefined) {
        this.#exec("begin immediate");
        this.#group = { committed: Promise.withResolvers(), members: 0 };
        // Somebody may have given up waiting; the failure still reaches those who wait.
        this.#group.committed.promise.catch(() => undefined);
      }
      this.#group.members++;
      this.#exec("savepoint member");
    } catch (error) {
      this.#abandon(error);
      this.#release();
      throw error;
    }
  }

  /** A statement of the member whose turn it is. After SQLite has ended the transaction by itself (disk full, I/O error) it would run
   * on its own and stay behind, so it is refused. */
  run<R>(query: { readonly sql: string; readonly parameters: readonly unknown[] }): QueryResult<R> {
    if (!this.prepared.handle.inTransaction) throw new Error("The transaction was ended by the database.");
    try {
      return this.prepared.run(query);
    } catch (error) {
      if (!this.prepared.handle.inTransaction) this.#abandon(error);
      throw error;
    }
  }

  commit = (): Promise<void> => this.#leave(["release member"]);

  async rollback(): Promise<void> {
    // The member's own failure is what its caller gets; a group that fails to commit fails the others.
    await this.#leave(["rollback to member", "release member"]).catch(() => undefined);
  }

  async #leave(statements: readonly string[]): Promise<void> {
    const group = this.#group;
    if (group === undefined) {
      this.#release();
      throw new Error("The transaction was ended by the database.");
    }
    try {
      for (const sql of statements) this.#exec(sql);
      if (this.#waiting === 0 || group.members >= GROUP_MEMBERS_MAX) {
        this.#group = undefined;
        this.#exec("commit");
        group.committed.resolve();
      }
    } catch (error) {
      this.#group = group;
      this.#abandon(error);
    } finally {
      this.#release();
    }
    await group.committed.promise;
  }

  /** Fails every member of the open group and brings the handle back to no transaction. */
  #abandon(error: unknown): void {
    this.#group?.committed.reject(error);
    this.#group = undefined;
    try {
      if (this.prepared.handle.inTransaction) this.#exec("rollback");
    } catch {
      // SQLite has rolled back by itself; there is nothing left to undo.
    }
  }

  #exec(sql: string): void {
    this.prepared.prepare(sql).run();
  }

  #take(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}

/** What Kysely holds while it runs statements: a reader until a transaction begins. */
class Connection implements DatabaseConnection {
  readonly #reader: PreparedHandle;
  readonly #writer: Writer;
  inTransaction = false;

  constructor(reader: PreparedHandle, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  get writer(): Writer {
    return this.#writer;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.inTransaction) return this.#writer.run<R>(query);
    if (this.#reader.prepare(query.sql).readonly) return this.#reader.run<R>(query);
    // A single writing statement is a transaction of its own, and shares a commit like the others.
    await this.#writer.begin();
    let result: QueryResult<R>;
    try {
      result = this.#writer.run<R>(query);
    } catch (error) {
      await this.#writer.rollback();
      throw error;
    }
    await this.#writer.commit();
    return result;
  }

  // biome-ignore lint/correctness/useYield: an iterating statement would block its handle; lists are read in pages instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming is not offered on SQLite: read in pages.");
  }
}

class TwoConnectionsDriver implements Driver {
  readonly #reader: PreparedHandle;
  readonly #writer: Writer;

  constructor(reader: Handle, writer: Handle) {
    this.#reader = new PreparedHandle(reader);
    this.#writer = new Writer(writer);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    assertNoOpenChange();
    return new Connection(this.#reader, this.#writer);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.writer.begin();
    connection.inTransaction = true;
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.inTransaction = false;
    await connection.writer.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // Kysely rolls back after a commit that failed too, but that member has left, and the turn is another's by now.
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
    this.#reader.handle.close();
    this.#writer.prepared.handle.close();
  }
}
