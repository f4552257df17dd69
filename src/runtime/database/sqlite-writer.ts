import type BetterSqlite3 from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";
import type { StoreHealth } from "./store-health.ts";
import { isFlushFailure, storeTroubleOf, storeUnavailable } from "./store-trouble.ts";

type Handle = BetterSqlite3.Database;
type Statement = BetterSqlite3.Statement<unknown[], unknown>;
type Query = Pick<CompiledQuery, "sql" | "parameters">;

/** More members would let the first one wait long for its commit. */
const GROUP_MEMBERS_MAX = 64;
/** A member that leaves a group which has been open for longer commits it at once, so that the first one does not wait for slow ones. */
const GROUP_OPEN_MS_MAX = 50;
const STATEMENTS_CACHED_MAX = 1_000;
export interface SqliteHandles {
  readonly reader: Handle;
  readonly writer: Handle;
  /** Learns what every read and write did. */
  readonly health: StoreHealth;
  /** False once the file that the handles have open is no longer the one that a later start would find. */
  readonly isInPlace?: () => boolean;
  /** Called once, when a flush failed: from then on every write is refused, since nobody knows what is on the disk (decision 0039). */
  readonly onFlushFailed?: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** A handle with its prepared statements. */
export class PreparedHandle {
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

  /** `wrote` when rows were changed. */
  run<R>(query: Query): QueryResult<R> & { readonly wrote: boolean } {
    const statement = this.prepare(query.sql);
    if (statement.reader) {
      const rows = statement.all(...query.parameters) as R[];
      return { rows, wrote: rows.length > 0 && !statement.readonly };
    }
    const { changes, lastInsertRowid } = statement.run(...query.parameters);
    const insertId = BigInt(lastInsertRowid);
    return { rows: [], numAffectedRows: BigInt(changes), insertId, wrote: changes > 0 };
  }
}

/** Write transactions that commit together. */
interface Group {
  readonly committed: PromiseWithResolvers<void>;
  readonly openedAt: number;
  /** Of a change that takes long: it has one member. */
  readonly alone: boolean;
  members: number;
  /** How many of them have changed rows; without any there is nothing to flush. */
  wrote: number;
}

/**
 * The one writing handle: whose turn it is, and the group that is open on it. A member's statements run without a pause, so those who come
 * with the same turn of the event loop are let in by putting the commit off until that turn ends.
 */
export class Writer {
  readonly #prepared: PreparedHandle;
  readonly #handles: SqliteHandles;
  readonly #now: () => number;
  readonly #queue: (() => void)[] = [];
  #taken = false;
  #memberWrote = false;
  #group: Group | undefined;
  #commitLater: NodeJS.Immediate | undefined;
  /** Why nothing is written any more. */
  #ended: unknown;

  constructor(handles: SqliteHandles) {
    this.#handles = handles;
    this.#prepared = new PreparedHandle(handles.writer);
    this.#now = handles.now ?? (() => performance.now());
  }

  /** Waits for the turn and opens a member. `alone`: it shares its commit with no other. */
  async begin(alone = false): Promise<void> {
    await this.#take();
    try {
      if (alone && this.#group !== undefined) this.#commit(this.#group);
      if (this.#ended !== undefined) throw this.#ended;
      this.#group ??= this.#open(alone);
      this.#group.members++;
      this.#memberWrote = false;
      this.#exec("savepoint member");
    } catch (error) {
      const failure = this.#failed(error);
      this.#abandon(failure);
      this.#release();
      throw failure;
    }
  }

  /** A statement of the member whose turn it is. After SQLite has ended the transaction by itself (disk full, I/O error) it would run
   * on its own and stay behind, so it is refused. */
  run<R>(query: Query): QueryResult<R> {
    if (!this.#handles.writer.inTransaction) throw this.#endedByStore();
    try {
      const { wrote, ...result } = this.#prepared.run<R>(query);
      if (wrote) this.#memberWrote = true;
      return result;
    } catch (error) {
      const failure = this.#failed(error);
      if (!this.#handles.writer.inTransaction) this.#abandon(failure);
      throw failure;
    }
  }

  async commit(): Promise<void> {
    const group = this.#leave(["release member"]);
    await group.committed.promise;
  }

  /**
   * Undoes the member whose turn it is. What made it give up may be what another member wrote a moment ago, so it waits for their commit.
   * @throws the failure of that commit: what it found was never there.
   */
  async rollback(): Promise<void> {
    let group: Group;
    try {
      this.#memberWrote = false;
      group = this.#leave(["rollback to member", "release member"]);
    } catch {
      // The transaction was ended by the database: nothing is left to undo, and the member's own failure is what its caller gets.
      return;
    }
    if (group.wrote > 0) await group.committed.promise;
  }

  /** Commits what waits for its commit, undoes what is at work, and closes the handle. */
  close(): void {
    if (this.#group !== undefined && !this.#taken) this.#commit(this.#group);
    const closed = new Error("The store is closed.");
    this.#ended ??= closed;
    this.#abandon(closed);
    this.#handles.writer.close();
  }

  #open(alone: boolean): Group {
    this.#exec("begin immediate");
    const committed = Promise.withResolvers<void>();
    // Somebody may have given up waiting; the failure still reaches those who wait.
    committed.promise.catch(() => undefined);
    return { committed, openedAt: this.#now(), alone, members: 0, wrote: 0 };
  }

  #leave(statements: readonly string[]): Group {
    const group = this.#group;
    if (group === undefined) {
      this.#release();
      throw this.#endedByStore();
    }
    try {
      for (const sql of statements) this.#exec(sql);
      if (this.#memberWrote) group.wrote++;
      const isFull = group.members >= GROUP_MEMBERS_MAX || this.#now() - group.openedAt > GROUP_OPEN_MS_MAX;
      if (group.alone || isFull) this.#commit(group);
      else this.#commitLater ??= setImmediate(() => this.#turnEnded());
    } catch (error) {
      this.#abandon(this.#failed(error));
    } finally {
      this.#release();
    }
    return group;
  }

  /** Who is still at work commits, or puts off once more, when it leaves. */
  #turnEnded(): void {
    this.#commitLater = undefined;
    if (this.#group !== undefined && !this.#taken) this.#commit(this.#group);
  }

  /** Never throws: who shared the commit learns its failure. */
  #commit(group: Group): void {
    try {
      if (group.wrote > 0 && this.#handles.isInPlace?.() === false) throw fileGone();
      this.#exec("commit");
      this.#group = undefined;
      if (group.wrote > 0) this.#handles.health.committed(group.wrote);
      group.committed.resolve();
    } catch (error) {
      this.#abandon(this.#failed(error));
    }
  }

  /** Fails every member of the open group and brings the handle back to no transaction. */
  #abandon(failure: unknown): void {
    this.#group?.committed.reject(failure);
    this.#group = undefined;
    try {
      if (this.#handles.writer.inTransaction) this.#exec("rollback");
    } catch {
      // SQLite has rolled back by itself; there is nothing left to undo.
    }
  }

  /** Counts a trouble of the store, and ends all writing after a failed flush. */
  #failed(error: unknown): unknown {
    const trouble = storeTroubleOf(error);
    if (trouble === undefined) return error;
    this.#handles.health.writeFailed(trouble);
    const failure = storeUnavailable(trouble, error);
    if (isFlushFailure(error) && this.#ended === undefined) {
      this.#ended = failure;
      this.#handles.onFlushFailed?.(error);
    }
    return failure;
  }

  #endedByStore(): unknown {
    const { trouble } = this.#handles.health;
    const ended = new Error("The transaction was ended by the database.");
    return trouble === undefined ? ended : storeUnavailable(trouble, ended);
  }

  #exec(sql: string): void {
    this.#prepared.prepare(sql).run();
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

/** As SQLite would say it, if it looked. */
const fileGone = (): Error =>
  Object.assign(new Error("The store's file was moved, removed or replaced."), { code: "SQLITE_CANTOPEN" });
