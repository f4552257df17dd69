import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { LOOK_AGAIN_MS } from "../deliveries/waits.ts";
import { RECOVERIES_CHANNEL } from "./recovery.ts";
import type { RecoveryRepository } from "./recovery-repository.ts";
import type { TakeRecoveryStep } from "./take-step-service.ts";

/** Recoveries in one turn; the next turn goes on behind them. */
const AT_ONCE = 50;
/** Between two looks at what has ended, so that a recovery asks the store seldom beside live deliveries. */
export const BREATH_MS = 50;

interface RecoveryLoopDeps {
  readonly name: "webhook-recoveries" | "webhook-recovery-endings";
  /** Recoveries to which something is to be done. */
  readonly list: RecoveryRepository["listActive"];
  readonly takeStep: TakeRecoveryStep;
  readonly wake: Wake;
}

/**
 * Takes steps of recoveries: of all where no engine outside the store does, else of those that were cancelled with attempts
 * under way (R-X343). Any number of services may do so at once.
 */
export const recoveryLoop = ({ name, list, takeStep, wake }: RecoveryLoopDeps): Loop => ({
  name,
  async run(signal, pass = withoutDeadline(signal)) {
    let after = 0;
    while (!signal.aborted) {
      // Taken before looking, so that what happens in between is not missed.
      const ended = wake.ticket(DELIVERIES_CHANNEL);
      const started = wake.ticket(RECOVERIES_CHANNEL);
      const { active, isMore } = await pass(async () => {
        const turn = await list(after, AT_ONCE);
        const steps = [];
        for (const { id } of turn) steps.push(await takeStep(id));
        after = turn.length < AT_ONCE ? 0 : (turn.at(-1)?.sequence ?? 0);
        return { active: turn.length, isMore: after > 0 || steps.some((step) => step?.isMore) };
      });
      if (!isMore)
        await (active > 0
          ? wake.after(DELIVERIES_CHANNEL, ended, LOOK_AGAIN_MS, signal)
          : wake.after(RECOVERIES_CHANNEL, started, LOOK_AGAIN_MS, signal));
      if (active > 0) await pause(isMore ? 0 : BREATH_MS, signal);
    }
  },
});
