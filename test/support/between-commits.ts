import { setTimeout as sleep } from "node:timers/promises";

/** One a millisecond. */
const TRIES_MAX = 10_000;

/**
 * Calls `write`, which writes into the embedded store of a running installation by a handle with `timeout: 0`, when no commit of the
 * product is open. The product may share this thread: to wait within a turn for its open commit would be to wait for ever.
 * @throws what `write` throws; that the store is busy, when it is for ten seconds.
 */
export async function betweenCommits<T>(write: () => T): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return write();
    } catch (error) {
      const isBusy = String((error as { readonly code?: unknown }).code).startsWith("SQLITE_BUSY");
      if (!isBusy || tried === TRIES_MAX) throw error;
      await sleep(1);
    }
  }
}
