import { type Loop, pause, withoutDeadline } from "./loop.ts";

const INTERVAL_MS = 60_000;

/** What was used last, by id, in memory until the loop writes it down: no request waits for a write of it. */
export interface LastUses<Id extends string, Use> {
  note(id: Id, use: Use): void;
  /** Writes down what was noted since the last time. */
  flush(): Promise<void>;
}

/** `record` is given them in the order of their ids, so that two processes that record the same never wait for each other in a circle. */
export function lastUses<Id extends string, Use>(
  record: (uses: ReadonlyMap<Id, Use>) => Promise<void>,
): LastUses<Id, Use> {
  let noted = new Map<Id, Use>();
  return {
    note: (id, use) => void noted.set(id, use),
    async flush() {
      if (noted.size === 0) return;
      const uses = new Map([...noted].sort(([one], [other]) => (one < other ? -1 : 1)));
      noted = new Map();
      try {
        await record(uses);
      } catch (error) {
        // The next flush has it; what was noted meanwhile is newer.
        noted = new Map([...uses, ...noted]);
        throw error;
      }
    },
  };
}

/** Writes last uses down about once a minute, and at the end. What a killed process had in memory is lost. */
export const lastUsesLoop = (name: string, uses: { flush(): Promise<void> }): Loop => ({
  name,
  async run(signal, pass = withoutDeadline(signal)) {
    while (!signal.aborted) {
      await pause(INTERVAL_MS, signal);
      await pass(() => uses.flush());
    }
  },
});
