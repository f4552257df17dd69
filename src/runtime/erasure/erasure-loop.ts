import type { Clock } from "../basis/clock.ts";
import { LONG_PASS_MS, type Loop, pause, withoutDeadline } from "../basis/loop.ts";
import type { Store } from "../database/database.ts";
import type { Wake } from "../wake/wake.ts";
import { ERASURES_CHANNEL, type Eraser, type ErasureTables, finishErasures, listPendingErasures } from "./erasures.ts";

const ERASURES_AT_ONCE = 50;
/** How long a lost wake-up may go unnoticed. */
const LOOK_AGAIN_MS = 5_000;
/** Until the next attempt while a reader keeps the store's log, or a delivery is under way. */
const AGAIN_MS = 250;

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
  return {
    name: "erasure",
    passMs: LONG_PASS_MS,
    async run(signal, pass = withoutDeadline(signal)) {
      while (!signal.aborted) {
        const ticket = wake.ticket(ERASURES_CHANNEL);
        const pending = await pass(() => listPendingErasures(db, ERASURES_AT_ONCE));
        if (pending.length === 0) {
          await wake.after(ERASURES_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
          continue;
        }
        const isErased = await pass(async (late) => {
          let isAll = true;
          for (const eraser of erasers) isAll = (await eraser.erase(pending, late)) === "erased" && isAll;
          return isAll && (await store.forgetOverwritten());
        });
        if (isErased) await pass(() => finishErasures(db, pending, clock.now()));
        else await pause(AGAIN_MS, signal);
      }
    },
  };
}
