import type BetterSqlite3 from "better-sqlite3";
import type { QueryResult } from "kysely";
import { storeUnavailable } from "../../basis/store-troubles.ts";
import { TurnQueue } from "../../basis/turn-queue.ts";
import type { StoreHealth } from "../store-health.ts";
import { isFlushFailure, storeTroubleOf } from "../store-trouble.ts";
import type { DiskThread } from "./disk-thread.ts";
import { FlushUnderWay } from "./flush-under-way.ts";
import { LogCopies, type WriterPauses } from "./log-copies.ts";
import type { LogFlush } from "./log-flush.ts";
import { PreparedHandle, type Query } from "./prepared-handle.ts";
import { WriteGroup } from "./write-group.ts";

type Handle = BetterSqlite3.Database;

export interface SqliteHandles {
  readonly reader: Handle;
  readonly writer: Handle;
  /** Receives the result of every read and write. */
  readonly health: StoreHealth;
  /** False once the open file is no longer the file at its path, which a later start would open. */
  readonly isInPlace?: () => boolean;
  /**
   * Called once, when a flush failed: from then on every write is refused, since the disk's content is unknown
   * (decision 0039).
   */
  readonly onFlushFailed?: (error: unknown) => void;
  /** Called before the handles are closed, when everything is flushed; not called when the log is in doubt. */
  readonly beforeClosing?: () => void;
  /** Called once the file is closed, also after a failed flush. */
  readonly afterClosing?: () => void;
  /** Absent where the writing handle flushes each commit itself (`synchronous=FULL`). */
  readonly log?: LogFlush;
  /** Copies a long log beside what is served; without it the writing handle does. */
  readonly diskThread?: DiskThread;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** What the writer asks of the reading handle. */
export interface Reads {
  /** From now on reads see what was committed up to now, until their view is renewed. */
  keepView(): void;
  renewView(): void;
}

/**
 * The one writing handle, with its queue of turns and its open group. A member's statements run without a pause. The
 * commit is put off until the turn of the event loop ends, so that members which arrive in the same turn share it, and
 * where there are several for further turns while each of them brings more.
 *
 * A commit is written to the log, which is then flushed, and only then do reads see it and its members get their answer
 * (decision 0076). One flush is under way at a time; the group that gathers meanwhile is committed when it ends.
 */
export class Writer implements WriterPauses {
  readonly #prepared: PreparedHandle;
  readonly #handles: SqliteHandles;
  readonly #reads: Reads;
  readonly #now: () => number;
  readonly #turns = new TurnQueue();
  /** True while the turn is not a member's. */
  #isQuiet = false;
  #memberWrote = false;
  #group: WriteGroup | undefined;
  #lastWasShared = false;
  #temporary: "file" | "memory" = "file";
  #commitLater: NodeJS.Immediate | undefined;
  #flush: FlushUnderWay | undefined;
  /** Why nothing is written at the moment: the flush under way hangs. */
  #hanging: unknown;
  readonly #logCopies: LogCopies | undefined;
  /** Why writing has ended; `undefined` while it goes on. */
  #ended: unknown;
  #flushFailed = false;

  constructor(handles: SqliteHandles, reads: Reads) {
    this.#handles = handles;
    this.#reads = reads;
    this.#prepared = new PreparedHandle(handles.writer);
    this.#logCopies = handles.log && new LogCopies(this.#prepared, this, handles.diskThread);
    this.#now = handles.now ?? (() => performance.now());
  }

  /** Waits for the turn and opens a member of several statements. `alone`: it gets a commit of its own. */
  async begin(alone = false): Promise<void> {
    await this.#enter(alone, ["savepoint member"]);
  }

  /** A member of one statement: SQLite undoes a failed one by itself, without a savepoint. */
  async runMember<R>(query: Query, alone = false): Promise<QueryResult<R>> {
    await this.#enter(alone, []);
    let result: QueryResult<R>;
    try {
      result = this.run<R>(query);
    } catch (error) {
      await this.#undo([]);
      throw error;
    }
    await this.#leave([]).committed;
    return result;
  }

  async #enter(alone: boolean, statements: readonly string[]): Promise<void> {
    await this.#turns.take();
    try {
      if (alone) await this.#settle();
      if (this.#group?.isFull === true) await this.#makeRoom(this.#group);
      const refusal = this.#ended ?? this.#hanging;
      if (refusal !== undefined) throw refusal;
      this.#group ??= this.#open(alone);
      this.#group.join();
      this.#memberWrote = false;
      for (const sql of statements) this.#exec(sql);
    } catch (error) {
      const failure = this.#failed(error);
      this.#abandon(failure);
      this.#turns.release();
      throw failure;
    }
  }

  /**
   * Runs a statement of the member whose turn it is. After SQLite has ended the transaction by itself (disk full, I/O error)
   * the statement would run on its own and its effect stay behind, so it is refused.
   */
  run<R>(query: Query): QueryResult<R> {
    if (this.#group === undefined) throw this.#endedByStore();
    try {
      const result = this.#prepared.run<R>(query);
      if (result.wrote) this.#memberWrote = true;
      return result;
    } catch (error) {
      const failure = this.#failed(error);
      if (!this.#handles.writer.inTransaction) this.#abandon(failure);
      throw failure;
    }
  }

  /**
   * Calls `call` before the commit of the member whose turn it is, if no other shares it: what `call` begins at once shares
   * it then. A long change, and a group that has been open for long, commit without.
   */
  beforeCommit(call: () => void): void {
    this.#group?.addLastCall(call);
  }

  async commit(): Promise<void> {
    const group = this.#leave(["release member"]);
    await group.committed;
  }

  /**
   * Undoes the member whose turn it is, then waits for the group's commit: the member may have failed because of what
   * another member wrote a moment ago, or of what is being flushed.
   * @throws the failure of that commit, since what the member saw was then never stored.
   */
  async rollback(): Promise<void> {
    await this.#undo(["rollback to member", "release member"]);
  }

  async #undo(statements: readonly string[]): Promise<void> {
    let group: WriteGroup;
    try {
      this.#memberWrote = false;
      group = this.#leave(statements);
    } catch {
      // The database has ended the transaction: nothing is left to undo. What the member saw may never have been flushed;
      // otherwise the caller gets the member's own failure.
      if (this.#flushFailed) throw this.#ended;
      return;
    }
    // What a member saw of a commit that is being flushed is not stored yet either.
    if (group.wrote > 0 || this.#flush !== undefined) await group.committed;
  }

  /**
   * Calls `work` while no member is at work and everything that was committed is flushed. No member begins before what it returns
   * is settled.
   * @throws the failure of the store while a flush hangs, and once writing has ended.
   */
  async quietly<T>(work: () => T): Promise<Awaited<T>> {
    await this.#turns.take();
    this.#isQuiet = true;
    try {
      await this.#settle();
      // After a failed flush other handles would see what is in doubt.
      if (this.#ended !== undefined) throw this.#ended;
      return await work();
    } catch (error) {
      const failure = this.#failed(error);
      if (this.#hanging !== undefined) this.#abandon(failure);
      throw failure;
    } finally {
      this.#isQuiet = false;
      this.#turns.release();
    }
  }

  async insteadOfFlush<T>(pages: number, work: () => Promise<T>): Promise<T> {
    let worked: Promise<T> | undefined;
    const quiet = this.quietly(async () => {
      // Another handle would open what is at the path now.
      if (this.#handles.isInPlace?.() === false) throw fileGone();
      const flushEnds = this.#flushBegins(pages);
      const end = () => flushEnds(() => this.#reads.renewView());
      worked = Promise.resolve().then(work);
      worked.then(end, end);
      await this.#flush?.endedOrHangs;
      return worked;
    });
    return quiet.catch(async (failure: unknown) => {
      // What has hung may fail yet.
      await worked?.catch((error: unknown) => {
        if (this.#ended === undefined && isFlushFailure(error)) this.flushFailed(error);
      });
      throw failure;
    });
  }

  withLogCopied<T>(work: (pagesLeft: number) => Promise<T>): Promise<T> {
    return this.#logCopies === undefined ? work(0) : this.#logCopies.withLogCopied(work);
  }

  flushFailed(error: unknown): void {
    this.#abandon(this.#failed(error));
  }

  /** Commits the members that wait for a commit, undoes the member at work, and writes nothing more. */
  async end(): Promise<void> {
    await this.#logCopies?.end();
    if (!this.#turns.isTaken || this.#isQuiet) {
      const committed = this.quietly(() => undefined);
      await committed.catch(() => undefined);
    }
    // The end of a flush commits the members that gathered meanwhile, which begins the next flush.
    while (this.#flush !== undefined) await this.#flush.ended;
    const closed = new Error("The store is closed.");
    this.#ended ??= closed;
    this.#abandon(closed);
  }

  /** True when the log may have what the disk has not: a later start must find it as it is. */
  get logIsInDoubt(): boolean {
    return this.#flushFailed;
  }

  close(): void {
    this.#handles.writer.close();
    this.#handles.log?.close();
  }

  /**
   * Commits the open group and waits until nothing is being flushed. The caller has the turn.
   * @throws the failure of the store while a flush hangs.
   */
  async #settle(): Promise<void> {
    while (this.#flush !== undefined || this.#group !== undefined) {
      if (this.#flush !== undefined) await this.#flush.endedOrHangs;
      else if (this.#group !== undefined) this.#commit(this.#group);
    }
  }

  /** Commits a full group, whose commit waits for the flush under way. The caller has the turn. */
  async #makeRoom(full: WriteGroup): Promise<void> {
    await this.#flush?.endedOrHangs;
    if (this.#group === full) this.#commit(full);
  }

  #open(alone: boolean): WriteGroup {
    this.#keepTemporary(alone ? "file" : "memory");
    const pagesBefore = this.#pagesAround(alone);
    this.#exec("begin immediate");
    return new WriteGroup(alone, pagesBefore, this.#now());
  }

  /**
   * Where SQLite keeps what it needs to undo a member. By itself it opens a temporary file at the 16th page that a member
   * changes, for each such member. A long change may need more than the memory should take.
   */
  #keepTemporary(where: "file" | "memory"): void {
    if (this.#temporary === where) return;
    this.#handles.writer.pragma(`temp_store = ${where}`);
    this.#temporary = where;
  }

  #leave(statements: readonly string[]): WriteGroup {
    const group = this.#group;
    if (group === undefined) {
      this.#turns.release();
      throw this.#endedByStore();
    }
    try {
      for (const sql of statements) this.#exec(sql);
      if (this.#memberWrote) group.wrote++;
      if (this.#hanging !== undefined) throw this.#hanging;
      if (group.memberLeft(this.#flush !== undefined, this.#now())) this.#commit(group);
      else this.#postpone();
    } catch (error) {
      this.#abandon(this.#failed(error));
    } finally {
      this.#turns.release();
    }
    return group;
  }

  /** Commits the open group, or waits for more members. A member that is still at work commits, or postpones again, when it leaves. */
  #turnEnded(): void {
    this.#commitLater = undefined;
    const group = this.#group;
    if (group === undefined || this.#turns.isTaken || this.#flush !== undefined) return;
    if (group.stillGathers(this.#lastWasShared, this.#now()) || group.makeLastCalls()) this.#postpone();
    else this.#commit(group);
  }

  #postpone(): void {
    this.#commitLater ??= setImmediate(() => this.#turnEnded());
  }

  /**
   * Never throws: the failure goes to every member that shared the commit. While a flush is under way it does nothing, since
   * the flush's end commits the group.
   */
  #commit(group: WriteGroup): void {
    if (this.#flush !== undefined) return;
    const { log, isInPlace } = this.#handles;
    try {
      if (group.wrote > 0 && isInPlace?.() === false) throw fileGone();
      this.#reads.keepView();
      this.#exec("commit");
      this.#group = undefined;
      this.#lastWasShared = group.wasShared;
      if (log === undefined || group.wrote === 0) this.#acknowledge(group);
      else {
        this.#flushLog(log, group);
        this.#logCopies?.copyLongLog();
      }
    } catch (error) {
      this.#fail(group, error);
    }
  }

  #flushLog(log: LogFlush, group: WriteGroup): void {
    const flushEnds = this.#flushBegins(this.#pagesOf(group));
    const begunAt = this.#now();
    log.flush((error) => {
      this.#handles.health.waited(this.#now() - begunAt);
      flushEnds(() => (error === undefined ? this.#acknowledge(group) : this.#fail(group, error)));
    });
  }

  /** @returns to be called when the flush has ended, with what is to be done before callers that wait for it go on. */
  #flushBegins(pages: number): (tell: () => void) => void {
    const flush = new FlushUnderWay((hanging) => this.#flushHangs(hanging), pages);
    this.#flush = flush;
    return (tell) => {
      // In this order: reads see the commit, its members are answered, and callers that wait for the flush go on after them.
      flush.end();
      this.#flush = undefined;
      this.#hanging = undefined;
      tell();
      flush.release();
      const next = this.#group;
      if (next === undefined || this.#turns.isTaken) return;
      if (next.isFull) this.#commit(next);
      else if (this.#commitLater === undefined) this.#turnEnded();
    };
  }

  /** Pages that a long change has written to the log, which began anew with it where it has become shorter. */
  #pagesOf({ alone, pagesBefore }: WriteGroup): number {
    const pages = this.#pagesAround(alone);
    return pages < pagesBefore ? pages : pages - pagesBefore;
  }

  /** Pages of the log before and after a long change; others are not worth the question. */
  #pagesAround(alone: boolean): number {
    return alone ? (this.#logCopies?.pages() ?? 0) : 0;
  }

  /** Members whose commit is being flushed wait on, since nobody can know what became of it; all other members are refused. */
  #flushHangs(flush: FlushUnderWay): void {
    const hanging = storeUnavailable("hangs", new Error("A flush has not ended for seconds."));
    this.#hanging = hanging;
    this.#handles.health.writeFailed("hangs");
    flush.refuse(hanging);
    if (!this.#turns.isTaken) this.#abandon(hanging);
  }

  #acknowledge(group: WriteGroup): void {
    this.#reads.renewView();
    if (group.wrote > 0) this.#handles.health.committed(group.wrote);
    group.resolve();
  }

  #fail(group: WriteGroup, error: unknown): void {
    const failure = this.#failed(error);
    group.reject(failure);
    this.#abandon(failure);
    // After a failed flush reads go on to see what was flushed before.
    if (!this.#flushFailed) this.#reads.renewView();
  }

  /** Fails every member of the open group and ends the handle's transaction. */
  #abandon(failure: unknown): void {
    this.#group?.reject(failure);
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
      this.#flushFailed = true;
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
    this.#prepared.runPlain(sql);
  }
}

/** The error that SQLite would raise if it checked. */
const fileGone = (): Error =>
  Object.assign(new Error("The store's file was moved, removed or replaced."), { code: "SQLITE_CANTOPEN" });
