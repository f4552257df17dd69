import type { PreparedHandle } from "./prepared-handle.ts";
import { isFlushFailure } from "./store-trouble.ts";

/**
 * Pages of the log that make it worth copying, 16 MiB. A page that was written several times is copied once, and each copy
 * flushes on this thread, so a few long logs cost less than many of SQLite's default of 1,000.
 */
const LOG_PAGES_MAX = 4_000;
/** To ask costs SQLite as much as the statements of one delivery. */
const COMMITS_PER_LOOK = 8;

/**
 * Copies a long log into the main file, which lets SQLite start it again. SQLite itself would do it within a commit, where it
 * meets the reads that are kept from what is not flushed yet, and never finishes (decision 0076).
 */
export class LogCopies {
  readonly #writer: PreparedHandle;
  /** Pages of the log from which on it is copied. */
  #from = LOG_PAGES_MAX;
  #pages = 0;
  #commits = 0;

  constructor(writer: PreparedHandle) {
    this.#writer = writer;
  }

  /**
   * To be asked after each commit, outside a transaction of the writing handle; looks at every eighth. SQLite tells the
   * pages of the log when it is asked for a copy, be it for none.
   * @throws as `copy`.
   */
  isDue(): boolean {
    if (this.#commits++ % COMMITS_PER_LOOK !== 0) return false;
    const pages = this.pages();
    if (pages === undefined) return false;
    if (pages < this.#pages) this.#from = LOG_PAGES_MAX;
    this.#pages = pages;
    return pages >= this.#from;
  }

  /** Pages of the log; `undefined` where it cannot be asked. @throws as `copy`. */
  pages(): number | undefined {
    return this.#checkpoint("noop");
  }

  /**
   * While nothing else is under way. Where a reader needs the log it goes on to grow, and the copy is due again later.
   * @throws the error of a failed flush.
   */
  copy(): void {
    this.#from = this.#pages + LOG_PAGES_MAX;
    this.#checkpoint("passive");
  }

  /** Pages of the log; `undefined` on a full disk, or while another copy is under way: the log stays as it is. */
  #checkpoint(mode: "noop" | "passive"): number | undefined {
    try {
      const { statement } = this.#writer.prepare(`pragma wal_checkpoint(${mode})`);
      return (statement.get() as { readonly log: number }).log;
    } catch (error) {
      if (isFlushFailure(error)) throw error;
      return undefined;
    }
  }
}
