import { storeUnavailable } from "../../basis/store-troubles.ts";
import type { StoreHealth } from "../store-health.ts";
import { storeTroubleOf } from "../store-trouble.ts";
import { PreparedHandle, type Query } from "./prepared-handle.ts";
import type { Reads, SqliteHandles } from "./sqlite-writer.ts";

/**
 * The reading handle, whose trouble is the store's. From the second read of a turn of the event loop on, the reads of that
 * turn share one read transaction: beginning one costs SQLite as much as finding a row. It ends with the turn and after each
 * commit of ours, so that a read sees whatever this program committed before it. While a commit is flushed, reads stay
 * in the previous transaction: nobody is answered with what a power failure could undo (decision 0076).
 */
export class Reader implements Reads {
  readonly #prepared: PreparedHandle;
  readonly #health: StoreHealth;
  /** False for a handle that is used for more than reading. */
  readonly #shares: boolean;
  #turnEnds: NodeJS.Immediate | undefined;
  /** True from `begin` to `commit`; asking the handle each time takes as long as binding a value. */
  #hasBegun = false;
  #keepsView = false;
  #views = 0;
  /** Why there is no view that may be shown: SQLite ended the read transaction while it was to be kept. */
  #lostView: unknown;

  constructor({ reader, writer, health }: SqliteHandles) {
    this.#prepared = new PreparedHandle(reader);
    this.#health = health;
    this.#shares = reader !== writer;
  }

  /** `undefined` for a statement that writes, which is not run. */
  rows<R>({ sql, parameters }: Query): R[] | undefined {
    try {
      const { statement, readsOnly } = this.#prepared.prepare(sql);
      if (!readsOnly) return undefined;
      if (this.#lostView !== undefined) throw this.#lostView;
      if (this.#shares) this.#share();
      return statement.all(...parameters) as R[];
    } catch (error) {
      const trouble = storeTroubleOf(error);
      if (trouble === undefined) throw error;
      this.#health.readFailed(trouble);
      this.endSharing();
      const failure = storeUnavailable(trouble, error);
      if (this.#keepsView && !this.#prepared.handle.inTransaction) this.#lostView = failure;
      throw failure;
    }
  }

  /**
   * Counts the views: reads see the same until it has grown. `undefined` for a handle that is used for more than reading, on which
   * they see changes before their commit.
   */
  get view(): number | undefined {
    return this.#shares ? this.#views : undefined;
  }

  keepView(): void {
    if (!this.#shares) return;
    if (!this.#hasBegun) this.#begin();
    // The transaction sees what is there at its first read.
    this.#prepared.prepare("select 1 from sqlite_schema limit 1").statement.all();
    this.#keepsView = true;
  }

  renewView(): void {
    this.#views++;
    this.#keepsView = false;
    this.#lostView = undefined;
    this.endSharing();
  }

  /** Ends the read transaction of this turn, where there is one and it need not be kept. */
  endSharing(): void {
    if (!this.#hasBegun || this.#keepsView) return;
    const { handle } = this.#prepared;
    // An I/O error may have ended it, and closing does.
    if (handle.open && handle.inTransaction) this.#prepared.runPlain("commit");
    this.#hasBegun = false;
  }

  #share(): void {
    if (this.#turnEnds === undefined) {
      this.#turnEnds = setImmediate(() => {
        this.#turnEnds = undefined;
        this.endSharing();
      });
    } else if (!this.#hasBegun) {
      this.#begin();
    }
  }

  #begin(): void {
    this.#prepared.runPlain("begin");
    this.#hasBegun = true;
  }
}
