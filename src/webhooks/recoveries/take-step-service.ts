import type { Changes } from "#runtime/changes/change.ts";
import type { LockQueue } from "#runtime/database/lock-queue.ts";
import type { WebhooksTables } from "../tables.ts";
import { hasEnded } from "./recovery.ts";
import { endingStepOf, type StepDeps, type Stepped, stepOf } from "./step-service.ts";

interface RecoveryStepsDeps extends StepDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly inTurn: LockQueue;
}

/**
 * Takes the next step of a recovery in a change of its own; `undefined` when it has ended with nothing under way, or
 * another process takes one at this moment.
 * @throws UNAVAILABLE when the signal is aborted before its turn comes.
 */
export const recoverySteps =
  ({ changes, inTurn, ...deps }: RecoveryStepsDeps) =>
  (id: string, signal?: AbortSignal): Promise<Stepped | undefined> =>
    inTurn(
      () =>
        changes.run(async (change) => {
          const recovery = await deps.recoveries.take(change.db, id);
          if (recovery === undefined) return undefined;
          return hasEnded(recovery) ? endingStepOf(deps, change, recovery) : stepOf(deps, change, recovery);
        }),
      signal,
    );

export type TakeRecoveryStep = ReturnType<typeof recoverySteps>;
