import type { Clock } from "#runtime/basis/clock.ts";
import { type Loop, withoutDeadline } from "#runtime/basis/loop.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { type KeyRotationDeps, keepKeys } from "./key-rotation-service.ts";
import { SIGNING_KEYS_CHANNEL } from "./signing-keys.ts";

const INTERVAL_MS = 60_000;

export interface KeyRotationLoopDeps extends KeyRotationDeps {
  readonly clock: Clock;
  readonly wake: Wake;
  /** Called for each round that failed; the loop is then started again. */
  readonly failed: () => void;
}

/** Moves the signing keys on when it is time (R-S13). Every services process runs it. */
export const keyRotationLoop = (deps: KeyRotationLoopDeps): Loop => ({
  name: "signing-keys",
  async run(signal, round = withoutDeadline(signal)) {
    while (!signal.aborted) {
      // From before the round: its own steps signal too, and cost one more look.
      const ticket = deps.wake.ticket(SIGNING_KEYS_CHANNEL);
      try {
        await round(() => keepKeys(deps, () => deps.clock.now()));
      } catch (error) {
        deps.failed();
        throw error;
      }
      await deps.wake.after(SIGNING_KEYS_CHANNEL, ticket, INTERVAL_MS, signal);
    }
  },
});
