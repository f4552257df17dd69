import { type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import type { WorkflowStarts } from "#runtime/temporal/workflow-starts.ts";

/** More at once would starve a server of what the workflows under way ask of it. */
const CLAIM_MAX = 20;
const WAIT_MS = 20_000;
const CLAIM_MARGIN_MS = 5_000;
const FAILED_PAUSE_MS = 1_000;

/** Gives one thing to the engine; harmless when the engine has it. @throws when the engine cannot be reached. */
export type Start<Work> = (work: Work) => Promise<void>;

interface EngineStartLoopDeps<Work> {
  readonly name: string;
  /** Takes what waits in the store; answers when something does, or after `waitMs`. */
  readonly claim: (asked: { limit: number; waitMs: number }, options: CallOptions) => Promise<readonly Work[]>;
  /** Waits for the engine; `undefined` when the signal is aborted. */
  readonly engine: (signal: AbortSignal) => Promise<Start<Work> | undefined>;
  /** Says what the engine has now; without it the store offers again what the engine loses. */
  readonly confirm?: (started: readonly Work[]) => Promise<void>;
  readonly starts: WorkflowStarts;
}

/**
 * Takes work of one kind and gives it to the engine, never more than it takes at once. While the engine is away the work
 * waits in the store.
 */
export const engineStartLoop = <Work>({ name, claim, engine, confirm, starts }: EngineStartLoopDeps<Work>): Loop => ({
  name,
  async run(signal, pass = withoutDeadline(signal)) {
    for (;;) {
      const before = await engine(signal);
      if (before === undefined) return;
      const claimed = await pass((late) => claimUntil(late, claim));
      // A claim waits for long, and the engine may be connected again meanwhile. What is taken as the loop ends is started too.
      const start = (await engine(signal)) ?? before;
      const results = await pass(() => Promise.allSettled(claimed.map(start)));
      const started = claimed.filter((_, index) => results[index]?.status === "fulfilled");
      if (confirm !== undefined && started.length > 0) await pass(() => confirm(started));
      if (starts.ended(results)) await pause(FAILED_PAUSE_MS, signal);
    }
  },
});

/** Nothing when the call was given up. */
async function claimUntil<Work>(
  signal: AbortSignal,
  claim: EngineStartLoopDeps<Work>["claim"],
): Promise<readonly Work[]> {
  try {
    return await claim({ limit: CLAIM_MAX, waitMs: WAIT_MS }, { signal, deadlineMs: WAIT_MS + CLAIM_MARGIN_MS });
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
