import type { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Recovery } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { WorkflowStarts } from "#runtime/temporal/workflow-starts.ts";

const CLAIM_MAX = 20;
const WAIT_MS = 20_000;
const CLAIM_MARGIN_MS = 5_000;
const FAILED_PAUSE_MS = 1_000;

/** Starts the engine's work for a recovery, or wakes it when there is some. @throws when the engine cannot be reached. */
export type StartRecovery = (recovery: Recovery) => Promise<void>;

interface RecoveryStartLoopDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "claimRecoveries">;
  /** Waits for the engine; `undefined` when the signal is aborted. */
  readonly engine: (signal: AbortSignal) => Promise<StartRecovery | undefined>;
  readonly starts: WorkflowStarts;
}

/** Gives recoveries to the engine. While it is away they wait in the store; one that it loses is offered again. */
export const recoveryStartLoop = ({ dispatch, engine, starts }: RecoveryStartLoopDeps): Loop => ({
  name: "webhook-recovery-start",
  async run(signal, pass = withoutDeadline(signal)) {
    for (;;) {
      const start = await engine(signal);
      if (start === undefined) return;
      const recoveries = await pass((late) => claimOf(dispatch, late, signal));
      const results = await pass(() => Promise.allSettled(recoveries.map(start)));
      if (starts.ended(results)) await pause(FAILED_PAUSE_MS, signal);
    }
  },
});

async function claimOf(
  dispatch: RecoveryStartLoopDeps["dispatch"],
  late: AbortSignal,
  ending: AbortSignal,
): Promise<readonly Recovery[]> {
  try {
    const { recoveries } = await dispatch.claimRecoveries(
      { limit: CLAIM_MAX, waitMs: WAIT_MS },
      { signal: late, deadlineMs: WAIT_MS + CLAIM_MARGIN_MS },
    );
    return recoveries;
  } catch (error) {
    if (late.aborted || ending.aborted) return [];
    throw error;
  }
}
