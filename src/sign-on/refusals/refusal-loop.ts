import type { Clock } from "#runtime/basis/clock.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/basis/loop.ts";
import type { Database } from "#runtime/database/database.ts";
import { sweep } from "#runtime/database/sweeping.ts";
import type { SignOnTables } from "../tables.ts";
import type { RefusalNotes } from "./refusal-notes.ts";
import type { RefusalRepository } from "./refusal-repository.ts";

const INTERVAL_MS = 1_000;
const SWEEP_EVERY = 60;
const DAY_MS = 24 * 60 * 60 * 1000;
const REFUSALS_KEPT_MS = 14 * DAY_MS;
const REFUSALS_MAX = 10_000;

interface LoopDeps {
  readonly notes: RefusalNotes;
  readonly refusals: RefusalRepository;
  readonly db: Database<SignOnTables>;
  readonly clock: Clock;
}

/** Stores waiting refusals in one statement. If that fails, they wait for the next round. */
export async function writeRefusals({ notes, refusals }: Pick<LoopDeps, "notes" | "refusals">): Promise<void> {
  const taken = notes.take();
  try {
    await refusals.add(taken);
  } catch (error) {
    notes.giveBack(taken);
    throw error;
  }
}

/** Removes refusals that are older than a fortnight, and the oldest of more than ten thousand, in small batches. */
export async function sweepRefusals(
  { refusals, db, clock }: Omit<LoopDeps, "notes">,
  signal: AbortSignal,
  max = REFUSALS_MAX,
): Promise<void> {
  const surplus = (await refusals.instantBehind(max))?.getTime() ?? 0;
  const before = Math.max(surplus + 1, clock.now().getTime() - REFUSALS_KEPT_MS);
  await sweep(db, { table: "sign_on_refusals", key: "request_id", age: "refused_at" }, before, signal);
}

/**
 * Stores refusals about once a second and at shutdown; keeps their table bounded. A killed process loses those in its
 * memory.
 */
export const refusalLoop = (deps: LoopDeps): Loop => ({
  name: "sign-on-refusals",
  async run(signal, round = withoutDeadline(signal)) {
    for (let count = 0; !signal.aborted; count++) {
      if (count % SWEEP_EVERY === 0) await round((late) => sweepRefusals(deps, late));
      await pause(INTERVAL_MS, signal);
      await round(() => writeRefusals(deps));
    }
  },
});
