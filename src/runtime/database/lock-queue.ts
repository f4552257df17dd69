import { unavailable } from "../basis/errors.ts";
import { TurnQueue } from "../basis/turn-queue.ts";
import { type AnyDatabase, isSqlite } from "./database.ts";

/** Calls `work` when its turn comes. @throws UNAVAILABLE when the signal is aborted by then: nobody waits for the answer. */
export type LockQueue = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets so many of this process's transactions that want the same lock of the whole store begin at once, and the others wait
 * before they take a connection. So few connections wait for another process that keeps the lock, and requests have the
 * others (R-X410). SQLite has one writer, which keeps an order already.
 */
export function lockQueue(db: AnyDatabase, atOnce: number): LockQueue {
  if (isSqlite(db)) return (work) => work();
  const queue = new TurnQueue(atOnce);
  return (work, signal) =>
    queue.run(async () => {
      if (signal?.aborted === true) throw unavailable("The caller gave up, or this process stops.");
      return work();
    });
}
