import type { DispatchService, HandOver } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { WorkflowStarts } from "#runtime/temporal/workflow-starts.ts";

/** More at once would starve a server of what the workflows under way ask of it. */
const CLAIM_MAX = 20;
const WAIT_MS = 20_000;
const CLAIM_MARGIN_MS = 5_000;
const FAILED_PAUSE_MS = 1_000;

/** Gives one delivery to the engine; harmless when the engine has it. @throws when the engine cannot be reached. */
export type StartRound = (handOver: HandOver) => Promise<void>;

interface HandOverLoopDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "claimHandOvers" | "confirmHandOvers">;
  /** Waits for the engine; `undefined` when the signal is aborted. */
  readonly engine: (signal: AbortSignal) => Promise<StartRound | undefined>;
  readonly starts: WorkflowStarts;
}

/**
 * Takes deliveries that failed and gives them to the engine, never more than it takes at once. While the engine is away
 * they wait in the store.
 */
export const handOverLoop = ({ dispatch, engine, starts }: HandOverLoopDeps): Loop => ({
  name: "webhook-hand-over",
  async run(signal, pass = withoutDeadline(signal)) {
    for (;;) {
      const start = await engine(signal);
      if (start === undefined) return;
      const handOvers = await pass((late) => claimOf(dispatch, late));
      const results = await pass(() => Promise.allSettled(handOvers.map((handOver) => start(handOver))));
      const started = handOvers.filter((_, index) => results[index]?.status === "fulfilled");
      const rounds = started.flatMap(({ round }) => round ?? []);
      if (rounds.length > 0) await dispatch.confirmHandOvers({ rounds });
      if (starts.ended(results)) await pause(FAILED_PAUSE_MS, signal);
    }
  },
});

async function claimOf(dispatch: HandOverLoopDeps["dispatch"], signal: AbortSignal): Promise<readonly HandOver[]> {
  try {
    const { handOvers } = await dispatch.claimHandOvers(
      { limit: CLAIM_MAX, waitMs: WAIT_MS },
      { signal, deadlineMs: WAIT_MS + CLAIM_MARGIN_MS },
    );
    return handOvers;
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
