import type { Clock } from "../basis/clock.ts";
import { DAY_MS, MINUTE_MS } from "../basis/durations.ts";
import type { Store } from "../database/database.ts";
import { sweep, type TableUpkeep, upkeepOf } from "../database/sweeping.ts";
import { LONG_PASS_MS, type Loop, repeating } from "../process/loop.ts";

/**
 * What is removed, by which time column, after how long. Relayed entries are those of earlier programs, which kept
 * them; the relay now removes what it relays.
 */
const rulesFor = (auditKeptDays: number) =>
  [
    { table: "change_requests", key: "request_id", age: "created_at", keepMs: DAY_MS },
    { table: "outbox_entries", key: "sequence", age: "relayed_at", keepMs: 30 * DAY_MS },
    { table: "audit_entries", key: "sequence", age: "at", inOrder: true, keepMs: auditKeptDays * DAY_MS },
    { table: "store_sizes", key: "measured_at", age: "measured_at", keepMs: 35 * DAY_MS },
  ] as const;

/** What becomes of the runtime's own tables. */
export const runtimeUpkeep = (auditKeptDays: number): readonly TableUpkeep[] => [
  ...rulesFor(auditKeptDays).map(upkeepOf),
  { table: "migration_ledger", bounded: "one row for each migration" },
  { table: "erasures", bounded: "one for each thing that was erased; ids alone" },
  { table: "store_identities", bounded: "one row" },
  { table: "store_probes", bounded: "one row" },
];

interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** By which rows are old; `clock` by default. */
  readonly sweepClock?: Clock;
  readonly auditKeptDays: number;
}

/** Removes expired rows in small batches, so that tables stop growing and no sweep occupies the writer for long. */
export function runtimeSweepLoop({ store, clock, sweepClock = clock, auditKeptDays }: SweepDeps): Loop {
  const db = store.view<unknown>();
  return {
    name: "runtime-sweep",
    passMs: LONG_PASS_MS,
    run: repeating(MINUTE_MS, async (pass) => {
      for (const rule of rulesFor(auditKeptDays)) {
        const now = clock.now().getTime();
        const before = sweepClock.now().getTime() - rule.keepMs;
        await pass((late) => sweep(db, { ...rule, now }, before, late));
      }
    }),
  };
}
