import { type Failure, unavailable } from "../basis/errors.ts";
import { TurnQueue } from "../basis/turn-queue.ts";
import { type AnyDatabase, isLockTimeout, isSqlite, type Store } from "./database.ts";

/**
 * Calls `work` when its turn comes, before which it takes no connection.
 * @throws UNAVAILABLE when the signal is aborted by then, or the queue's time has passed.
 */
export type LockQueue = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets so many of this process's transactions that want the same lock of the whole store begin at once, and the others wait
 * before they take a connection. So few connections wait for another process that keeps the lock, and requests have the
 * others (R-X410). SQLite has one writer, which keeps an order already.
 */
export function lockQueue(db: AnyDatabase, atOnce: number): LockQueue {
  if (isSqlite(db)) return (work) => work();
  const queue = new TurnQueue(atOnce);
  return (work, signal) => inTurn(queue, work, signal, () => unavailable("The caller gave up, or this process stops."));
}

/**
 * The same for writes that may want a row which another transaction keeps locked for long, as an import of all or nothing
 * does with its tenants (R-X411). Fewer than half of the connections take part, since exports may have half of them too.
 * A write that has met such a row gives its turn to those behind it and begins again, one of them at a time; it waits for
 * its turns and locks as long as it would for a connection. Where connections have a limit of their own, the first lock
 * that takes longer ends it.
 */
export function writeQueue({ connections }: Pick<Store, "connections">): <T>(work: () => Promise<T>) => Promise<T> {
  if (connections === undefined) return (work) => work();
  const { most, waitMs, lockMs } = connections;
  const queue = new TurnQueue(Math.max(1, Math.floor((most - 1) / 2)));
  const again = new TurnQueue();
  const busy = () => unavailable("The store is busy.", { detail: `${waitMs} ms behind other writes of this process` });
  return async (work) => {
    const signal = AbortSignal.timeout(waitMs);
    const attempt = () => inTurn(queue, work, signal, busy);
    for (let next = attempt; ; next = () => inTurn(again, attempt, signal, busy)) {
      try {
        return await next();
      } catch (error) {
        if (!isLockTimeout(error) || lockMs > 0 || signal.aborted) throw error;
      }
    }
  };
}

const inTurn = <T>(
  queue: TurnQueue,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
  refused: () => Failure,
): Promise<T> => {
  const taken = queue.take(signal).catch(() => {
    throw refused();
  });
  return queue.run(work, taken);
};
