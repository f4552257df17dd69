import type { Clock } from "../basis/clock.ts";
import { DAY_MS } from "../basis/durations.ts";
import { type Loop, pause, withoutDeadline } from "../process/loop.ts";
import type { NotedRefusal, RefusalNotes } from "./refusal-notes.ts";

const INTERVAL_MS = 1_000;
const SWEEP_EVERY = 60;
const REFUSALS_KEPT_MS = 14 * DAY_MS;
const REFUSALS_MAX = 10_000;

/** Where a domain stores its refusals. */
export interface StoredRefusals<R extends NotedRefusal> {
  /** A refusal that is stored already does not change. */
  add(refusals: readonly R[]): Promise<void>;
  find(requestId: string): Promise<R | undefined>;
  /** Removes those from before an instant, and the oldest of more than `most`, in small batches. */
  removeBeyond(bounds: { readonly before: number; readonly most: number }, signal: AbortSignal): Promise<void>;
}

interface LoopDeps<R extends NotedRefusal> {
  readonly notes: RefusalNotes<R>;
  readonly refusals: StoredRefusals<R>;
  /** By which rows are removed for good. */
  readonly clock: Clock;
}

/** Stores waiting refusals in one statement. If that fails, they wait for the next pass. */
export async function writeRefusals<R extends NotedRefusal>({
  notes,
  refusals,
}: Pick<LoopDeps<R>, "notes" | "refusals">): Promise<void> {
  const taken = notes.take();
  try {
    await refusals.add(taken);
    notes.stored(taken);
  } catch (error) {
    notes.giveBack(taken);
    throw error;
  }
}

/** Removes refusals that are older than a fortnight, and the oldest of more than ten thousand, in small batches. */
export async function sweepRefusals<R extends NotedRefusal>(
  { refusals, clock }: Omit<LoopDeps<R>, "notes">,
  signal: AbortSignal,
  most = REFUSALS_MAX,
): Promise<void> {
  await refusals.removeBeyond({ before: clock.now().getTime() - REFUSALS_KEPT_MS, most }, signal);
}

/**
 * Stores refusals about once a second and at shutdown; keeps their table bounded. A killed process loses those in its
 * memory.
 */
export const refusalLoop = <R extends NotedRefusal>(name: string, deps: LoopDeps<R>): Loop => ({
  name,
  async run(signal, pass = withoutDeadline(signal)) {
    for (let count = 0; !signal.aborted; count++) {
      if (count % SWEEP_EVERY === 0) await pass((late) => sweepRefusals(deps, late));
      await pause(INTERVAL_MS, signal);
      await pass(() => writeRefusals(deps));
    }
  },
});
