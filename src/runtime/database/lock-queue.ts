import { type Failure, unavailable } from "../basis/errors.ts";
import { TurnQueue } from "../basis/turn-queue.ts";
import { type AnyDatabase, isSqlite, type Store } from "./database.ts";

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
 * does with its tenants (R-X411). Fewer than half of the connections take part, since exports may have half of them too;
 * a write waits for its turn as long as it would for a connection.
 */
export function writeQueue({ connections }: Pick<Store, "connections">): LockQueue {
  if (connections === undefined) return (work) => work();
  const { most, waitMs } = connections;
  const queue = new TurnQueue(Math.max(1, Math.floor((most - 1) / 2)));
  const busy = () => unavailable("The store is busy.", { detail: `${waitMs} ms behind other writes of this process` });
  return (work) => inTurn(queue, work, AbortSignal.timeout(waitMs), busy);
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
