import type { Clock } from "../basis/clock.ts";
import { LONG_ROUND_MS, type Loop, pause, withoutDeadline } from "../basis/loop.ts";
import type { Store } from "../database/database.ts";
import { sweep } from "../database/sweeping.ts";

const INTERVAL_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What is removed, by which time column, after how long. Relayed entries are kept for a while so that an operator can
 * see what was emitted.
 */
const RULES = [
  { table: "change_requests", key: "request_id", age: "created_at", keepMs: DAY_MS },
  { table: "outbox_entries", key: "sequence", age: "relayed_at", keepMs: 30 * DAY_MS },
] as const;

/** Removes expired rows in small batches, so that tables stop growing and no sweep occupies the writer for long. */
export function runtimeSweepLoop({ store, clock }: { readonly store: Store; readonly clock: Clock }): Loop {
  const db = store.view<unknown>();
  return {
    name: "runtime-sweep",
    roundMs: LONG_ROUND_MS,
    async run(signal, round = withoutDeadline(signal)) {
      while (!signal.aborted) {
        for (const rule of RULES) {
          const before = clock.now().getTime() - rule.keepMs;
          await round((late) => sweep(db, rule, before, late));
        }
        await pause(INTERVAL_MS, signal);
      }
    },
  };
}
