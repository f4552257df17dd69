import type { Changes } from "#runtime/changes/change.ts";
import type { WebhooksTables } from "../tables.ts";
import { hasEnded } from "./recovery.ts";
import { endingStepOf, type StepDeps, type Stepped, stepOf } from "./step-service.ts";

interface RecoveryStepsDeps extends StepDeps {
  readonly changes: Changes<WebhooksTables>;
}

/**
 * Takes the next step of a recovery in a change of its own; `undefined` when it has ended with nothing under way, or
 * another process takes one at this moment.
 */
export const recoverySteps =
  ({ changes, ...deps }: RecoveryStepsDeps) =>
  (id: string): Promise<Stepped | undefined> =>
    changes.run(async (change) => {
      const recovery = await deps.recoveries.take(change.db, id);
      if (recovery === undefined) return undefined;
      return hasEnded(recovery) ? endingStepOf(deps, change, recovery) : stepOf(deps, change, recovery);
    });

export type TakeRecoveryStep = ReturnType<typeof recoverySteps>;
