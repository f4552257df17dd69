import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MINUTE_MS } from "../../basis/durations.ts";
import { Failure } from "../../basis/errors.ts";
import { isFlushFailure } from "../store-trouble.ts";
import { checkpoint, type LogState } from "./checkpoint.ts";
import type { DiskThread } from "./disk-thread.ts";
import type { PreparedHandle } from "./prepared-handle.ts";

/**
 * Pages of the log that make it worth copying, 16 MiB. A page that was written several times is copied once, and each copy
 * flushes twice or more, so a few long logs cost less than many of SQLite's default of 1,000.
 */
const LOG_PAGES_MAX = 4_000;
/** A log that a reader needed is tried again after that, however little it has grown: the reader may have ended. */
const AGAIN_AFTER_MS = MINUTE_MS;
/** To ask costs SQLite as much as the statements of one delivery. */
const COMMITS_PER_LOOK = 8;
/** With so few pages left, commits wait for the rest. */
const PAGES_LEFT_MAX = 200;
/** Changes that write faster than the disk takes it leave more after each pass. */
const PASSES_BESIDE_MAX = 3;

/** What the writing handle offers between its members. */
export interface WriterPauses {
  /** Calls `work` while no member is at work and everything that was committed is flushed. @throws once writing has ended. */
  quietly<T>(work: () => T): Promise<Awaited<T>>;
  /**
   * As `quietly`, but `work` counts as the flush under way: nobody begins before it ends, unless it hangs, and reads go on.
   * @throws the store's failure for what `work` throws; that it hangs, once it has ended after all.
   */
  insteadOfFlush<T>(pages: number, work: () => Promise<T>): Promise<T>;
  /** Ends all writing at once, since a flush of another handle has failed. */
  flushFailed(error: unknown): void;
}

/**
 * Copies a long log into the main file, which lets SQLite start it again. SQLite itself would do it within a commit, where it
 * meets the reads that are kept from what is not flushed yet, and never finishes (decision 0076).
 *
 * Most of the log is copied beside commits and reads, which add to it meanwhile; for the short rest commits wait, since a log is
 * started again only when all of it was copied. Both happen on a thread of their own.
 */
export class LogCopies {
  readonly #writer: PreparedHandle;
  readonly #pauses: WriterPauses;
  readonly #thread: DiskThread | undefined;
  /** Pages of the log from which on it is copied. */
  #from = LOG_PAGES_MAX;
  /** From when on a long log is copied though it has not grown as long, in milliseconds of the process. */
  #againAt = 0;
  #pages = 0;
  #commits = 0;
  /** Resolves when the copy under way, or what is done without one, has ended. */
  #underWay: Promise<void> | undefined;
  #isEnding = false;

  constructor(writer: PreparedHandle, pauses: WriterPauses, thread: DiskThread | undefined) {
    this.#writer = writer;
    this.#pauses = pauses;
    this.#thread = thread;
  }

  /** Pages of the log; `undefined` where it cannot be asked. @throws the error of a failed flush. */
  pages(): number | undefined {
    return this.#checkpoint("noop")?.pages;
  }

  /**
   * To be called after each commit, outside a transaction of the writing handle: begins to copy a long log once this turn of the
   * event loop has ended, when the members of the commit have their answers.
   * @throws as `pages`.
   */
  copyLongLog(): void {
    if (this.#underWay !== undefined || this.#isEnding || !this.#isDue()) return;
    this.#from = this.#pages + LOG_PAGES_MAX;
    this.#againAt = performance.now() + AGAIN_AFTER_MS;
    // Writing has ended, or the store is in trouble and says so: a log that grows on is due again later.
    this.#begin(async () => {
      await nextTurn();
      await this.#copy();
    });
  }

  /**
   * Calls `work` once most of the log is copied and no copy is under way; none begins before what it returns is settled. It gets
   * the pages that are left: what counts as a flush must not wait for a copy, which may take as long as the disk does.
   * @throws what `work` throws.
   */
  async withLogCopied<T>(work: (pagesLeft: number) => Promise<T>): Promise<T> {
    while (this.#underWay !== undefined) await this.#underWay;
    return this.#begin(async () => work(await this.#copyBeforehand()));
  }

  #begin<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    const underWay = done
      .catch(() => undefined)
      .then(() => {
        this.#underWay = undefined;
      });
    this.#underWay = underWay;
    return done;
  }

  /** What fails here fails again, and is reported, where it matters. @returns the pages that are left, or may be. */
  async #copyBeforehand(): Promise<number> {
    const pages = this.pages() ?? LOG_PAGES_MAX;
    if (this.#thread === undefined || pages <= PAGES_LEFT_MAX) return pages;
    try {
      return (await this.#copyMost(this.#thread, pages)) ?? pages;
    } catch (error) {
      if (isFlushFailure(error)) this.#pauses.flushFailed(error);
      return pages;
    }
  }

  /** Ends the thread, which does no more than it is at. What is left of the log is copied when the handles are closed. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#thread?.end();
  }

  /** Looks at every eighth commit. SQLite tells the pages of the log when it is asked for a copy, be it for none. */
  #isDue(): boolean {
    if (this.#commits++ % COMMITS_PER_LOOK !== 0) return false;
    const pages = this.pages();
    if (pages === undefined) return false;
    if (pages < this.#pages) this.#from = LOG_PAGES_MAX;
    this.#pages = pages;
    return pages >= this.#from || (pages >= LOG_PAGES_MAX && performance.now() >= this.#againAt);
  }

  /** Where a reader needs the log it goes on to grow, and the copy is due again later. */
  async #copy(): Promise<void> {
    if (this.#isEnding) return;
    try {
      if (this.#thread !== undefined) return await this.#copyBeside(this.#thread);
    } catch (error) {
      if (isFlushFailure(error)) return this.#pauses.flushFailed(error);
      // A disk that hangs would stop this thread too.
      if (error instanceof Failure) return;
    }
    // Without a thread on this one.
    await this.#pauses.quietly(() => {
      if (!this.#isEnding) this.#checkpoint("passive");
    });
  }

  async #copyBeside(thread: DiskThread): Promise<void> {
    const left = await this.#copyMost(thread, this.#pages);
    if (left === undefined || this.#isEnding) return;
    await this.#pauses.insteadOfFlush(left, async () => {
      // A change that took long has kept this one waiting, with nothing to do for the thread.
      if (!thread.isOpen) await thread.open();
      return thread.copyLog();
    });
  }

  /**
   * Copies beside changes and reads.
   * @param pages of the log.
   * @returns the pages that are left; `undefined` where nothing more is copied.
   */
  async #copyMost(thread: DiskThread, pages: number): Promise<number | undefined> {
    if (!thread.isOpen) await thread.open();
    // A flush that failed before the thread's handle was open is unknown to it, but ends writing before this pause:
    // nothing is copied that the disk may have lost.
    await this.#pauses.quietly(() => undefined);
    let left = pages;
    for (let pass = 1; pass <= PASSES_BESIDE_MAX && left > PAGES_LEFT_MAX && thread.isOpen; pass++) {
      if (this.#isEnding) return undefined;
      const state = await thread.copyLog();
      if (state === undefined) return undefined;
      left = state.pages - state.copied;
    }
    return left;
  }

  #checkpoint(mode: "noop" | "passive"): LogState | undefined {
    return checkpoint((sql) => this.#writer.prepare(sql).statement, mode);
  }
}
