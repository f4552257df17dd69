/**
 * A hint from writers to loops that there is work. It may be lost or late, so every waiter also polls after a while.
 */
export interface Wake {
  signal(channel: string): void;
  /** How often the channel was signalled; taken before looking for work, so that a signal in between is not missed. */
  ticket(channel: string): number;
  /** Returns when the channel was signalled after the ticket, when `timeoutMs` passed, or when the signal is aborted. Never throws. */
  after(channel: string, ticket: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Signalled in this process when its store can be reached again. */
export const STORE_IS_BACK = "store is back";

/** Wakes loops of the same process; the embedded store has only one process. */
export function createWake(): Wake {
  const counts = new Map<string, number>();
  const waiters = new Map<string, Set<() => void>>();
  const count = (channel: string) => counts.get(channel) ?? 0;
  return {
    signal(channel) {
      counts.set(channel, count(channel) + 1);
      const waiting = waiters.get(channel);
      waiters.delete(channel);
      for (const wake of waiting ?? []) wake();
    },
    ticket: count,
    after(channel, ticket, timeoutMs, signal) {
      if (count(channel) !== ticket || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const waiting = waiters.get(channel) ?? new Set();
        waiters.set(channel, waiting);
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener("abort", done, { once: true });
        waiting.add(done);
      });
    },
    async close() {},
  };
}
