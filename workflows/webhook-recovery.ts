import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { RecoveryName, RecoveryProgress, WebhookRecoveryActivities } from "./webhook-recovery-activities.ts";
import { advanceSummary, currentRecovery, endedRecovery, recoverySummary } from "./webhook-recovery-words.ts";

export interface WebhookRecoveryInput extends RecoveryName {
  /** The progress when the workflow was started. */
  readonly progress: RecoveryProgress;
  /** How many changes the runs before this one were asked for, where it goes on for them. */
  readonly changes?: number;
}

export const pauseRecovery = defineSignal("pause");
export const resumeRecovery = defineSignal("resume");
export const cancelRecovery = defineSignal("cancel");
/** The store has something to do for a recovery that was paused. */
export const lookAgain = defineSignal("look");
export const recoveryProgress = defineQuery<RecoveryProgress>("progress");

type Change = "pause" | "resume" | "cancel";

/** How long one activity lets the store send; a signal waits for its end. */
const ADVANCE_MS = 2_000;
/** How often a paused recovery is looked at, though nothing was signalled. */
const PAUSED_LOOK = "1h";

/** Our own faults are retried for as long as it takes. */
const OWN_FAULTS = { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" } as const;

/**
 * Drives a recovery until the store says that it has ended (R-X285). What is sent, how much at once and how far it has
 * come are the store's, so that a reset, a second start or a lost worker sends nothing twice and forgets nothing.
 * Completed when finished; Cancelled when the recovery is.
 */
export async function webhookRecovery(input: WebhookRecoveryInput): Promise<string> {
  const { recoveryId } = input;
  const { advanceRecovery, changeRecovery, requestCancellation } = proxyActivities<WebhookRecoveryActivities>({
    startToCloseTimeout: "10s",
    retry: OWN_FAULTS,
  });
  let progress = input.progress;
  let isLookedFor = true;
  const asked: Change[] = [];
  let changes = input.changes ?? 0;
  setHandler(recoveryProgress, () => progress, { description: "How far the recovery has come." });
  setHandler(pauseRecovery, () => void asked.push("pause"), { description: "Sends nothing more until it is resumed." });
  setHandler(resumeRecovery, () => void asked.push("resume"), { description: "Lets a paused recovery go on." });
  setHandler(cancelRecovery, () => void asked.push("cancel"), {
    description: "Ends it; what is under way still ends.",
  });
  setHandler(
    lookAgain,
    () => {
      isLookedFor = true;
    },
    { description: "Looks at a paused recovery again." },
  );

  const change = (wanted: Change): Promise<RecoveryProgress> =>
    changeRecovery.executeWithOptions(
      { startToCloseTimeout: "10s", retry: OWN_FAULTS, summary: `${wanted} the ${recoverySummary(input)}` },
      // A reset keeps the run's first id, and sends the new run the earlier signals in their order.
      [{ recoveryId, change: wanted, requestId: `${workflowInfo().firstExecutionRunId}/${++changes}/${wanted}` }],
    );

  const advance = (): Promise<RecoveryProgress> =>
    advanceRecovery.executeWithOptions(
      {
        startToCloseTimeout: "1m",
        heartbeatTimeout: "5s",
        retry: OWN_FAULTS,
        summary: advanceSummary(input, progress),
      },
      [{ recoveryId, waitMs: ADVANCE_MS }],
    );

  /** Always throws: a run ends as Cancelled only after a request to it, so a missing request is made here. */
  const endAsCancelled = async (reason: string): Promise<never> => {
    const run = CancellationScope.current();
    if (!run.consideredCancelled) {
      await CancellationScope.nonCancellable(() =>
        requestCancellation.executeWithOptions(
          { startToCloseTimeout: "10s", retry: OWN_FAULTS, summary: "end this run as Cancelled, like the recovery" },
          [{ reason }],
        ),
      );
    }
    return run.cancelRequested;
  };

  try {
    while (progress.state === "running" || progress.state === "paused") {
      setCurrentDetails(currentRecovery(progress));
      const next = asked.shift();
      if (next !== undefined) {
        progress = await change(next);
      } else if (progress.state === "running" || isLookedFor) {
        isLookedFor = false;
        progress = await advance();
      } else {
        await condition(() => asked.length > 0 || isLookedFor, PAUSED_LOOK, { summary: "paused" });
        isLookedFor = true;
      }
      if (workflowInfo().continueAsNewSuggested && asked.length === 0)
        await continueAsNew<typeof webhookRecovery>({ ...input, progress, changes });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    progress = await CancellationScope.nonCancellable(() => change("cancel"));
  }
  const sentence = endedRecovery(progress);
  setCurrentDetails(sentence);
  return progress.state === "cancelled" ? endAsCancelled(sentence) : sentence;
}
