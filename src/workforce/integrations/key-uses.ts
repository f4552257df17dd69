import type { ApiKeyId } from "#runtime/basis/ids.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { ApiKeyRepository } from "./api-key-repository.ts";

const INTERVAL_MS = 60_000;

/** When keys were last accepted, in memory until the loop writes it down: no request waits for a write of it. */
export interface KeyUses {
  note(key: ApiKeyId, at: Date): void;
  /** Writes down what was noted since the last time. */
  flush(): Promise<void>;
}

export function keyUses(apiKeys: ApiKeyRepository): KeyUses {
  let noted = new Map<ApiKeyId, Date>();
  return {
    note: (key, at) => void noted.set(key, at),
    async flush() {
      if (noted.size === 0) return;
      const uses = noted;
      noted = new Map();
      try {
        await apiKeys.recordUses(uses);
      } catch (error) {
        // The next flush has it; what was noted meanwhile is newer.
        noted = new Map([...uses, ...noted]);
        throw error;
      }
    },
  };
}

/** Writes last uses down about once a minute, and at the end. What a killed process had in memory is lost. */
export const keyUsesLoop = (uses: KeyUses): Loop => ({
  name: "api-key-uses",
  async run(signal, pass = withoutDeadline(signal)) {
    while (!signal.aborted) {
      await pause(INTERVAL_MS, signal);
      await pass(() => uses.flush());
    }
  },
});
