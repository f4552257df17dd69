import { performance } from "node:perf_hooks";
import type { Clock } from "../basis/clock.ts";
import type { Store } from "../database/database.ts";
import { LONG_PASS_MS, type Loop, pause, withoutDeadline } from "../process/loop.ts";
import type { Wake } from "../wake/wake.ts";
import {
  ERASURES_CHANNEL,
  type Eraser,
  type Erasure,
  type ErasureTables,
  finishErasures,
  listPendingErasures,
} from "./erasures.ts";

const ERASURES_AT_ONCE = 50;
/** While a reader keeps the store's log, so many may wait for it; further ones are erased when it has left. */
const WAIT_FOR_LOG_MAX = 1_000;
/** How long a lost wake-up may go unnoticed. */
const LOOK_AGAIN_MS = 5_000;
/** Until the next attempt while a reader keeps the store's log, or a delivery is under way: at least, and at most. */
const AGAIN_MS = 250;
const AGAIN_MS_MAX = 5_000;
/** Each attempt looks through everything that may show what is erased: pauses are so many times as long as the one before took. */
const PAUSE_FACTOR = 4;

interface ErasureLoopDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wake: Wake;
  /** In the order in which what is erased moves: what writes into another part's tables comes before it. */
  readonly erasers: readonly Eraser[];
}

/**
 * Finishes erasures: each part of the store erases its own tables, then what was overwritten leaves the store's files.
 * After an interruption everything is repeated. Several processes may do so at once.
 */
export function erasureLoop({ store, clock, wake, erasers }: ErasureLoopDeps): Loop {
  const db = store.view<ErasureTables>();
  /**
   * Erased in every part; only the log has them still. A reader may keep it for hours, an export for example: nothing is
   * looked through again meanwhile.
   */
  const waitForLog = new Set<number>();

  const erase = async (pending: readonly Erasure[], signal: AbortSignal): Promise<boolean> => {
    const left = pending.filter(({ sequence }) => !waitForLog.has(sequence));
    if (left.length === 0) return true;
    let isAll = true;
    for (const eraser of erasers) isAll = (await eraser.erase(left, signal)) === "erased" && isAll;
    if (isAll) for (const { sequence } of left) waitForLog.add(sequence);
    return isAll;
  };

  return {
    name: "erasure",
    passMs: LONG_PASS_MS,
    async run(signal, pass = withoutDeadline(signal)) {
      while (!signal.aborted) {
        const ticket = wake.ticket(ERASURES_CHANNEL);
        const atOnce = Math.min(ERASURES_AT_ONCE + waitForLog.size, WAIT_FOR_LOG_MAX);
        const pending = await pass(() => listPendingErasures(db, atOnce));
        if (pending.length === 0) {
          await wake.after(ERASURES_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
          continue;
        }
        const beganAt = performance.now();
        const isErased = await pass(async (late) => (await erase(pending, late)) && (await store.forgetOverwritten()));
        if (isErased) {
          await pass(() => finishErasures(db, pending, clock.now()));
          waitForLog.clear();
        } else await pause(pauseAfter(performance.now() - beganAt), signal);
      }
    },
  };
}

const pauseAfter = (tookMs: number): number => Math.min(AGAIN_MS_MAX, Math.max(AGAIN_MS, tookMs * PAUSE_FACTOR));
