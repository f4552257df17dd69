import { Context } from "@temporalio/activity";
import { type ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import {
  type AdvanceRecoveryResponse,
  type DispatchService,
  RecoveryChange,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { RecoveryState } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { lowerWordOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { RecoveryProgress, WebhookRecoveryActivities } from "#workflows/webhook-recovery-activities.ts";
import type { ActivityPlaces } from "./activity-places.ts";
import { failureOf, ours } from "./own-fault.ts";

const BEAT_MS = 1_000;
const ADVANCE_MARGIN_MS = 10_000;
const CROWDED_FIRST_MS = 2_000;
/** So that the workflow asks again before the store offers the recovery once more. */
const CROWDED_LONGEST_MS = 30_000;

interface RecoveryActivitiesDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "advanceRecovery" | "changeRecovery">;
  readonly places: ActivityPlaces;
}

/** What a webhookRecovery workflow does in the world, besides asking for its own cancellation. */
export const recoveryActivities = ({
  dispatch,
  places,
}: RecoveryActivitiesDeps): Omit<WebhookRecoveryActivities, "requestCancellation"> => ({
  async advanceRecovery({ recoveryId, waitMs }) {
    const activity = Context.current();
    if (!places.takeForRecovery()) throw crowded(activity.info.attempt);
    // Beats let the server notice within seconds that this worker is gone.
    const beating = setInterval(() => activity.heartbeat(), BEAT_MS);
    try {
      const answer = await ours(() =>
        dispatch.advanceRecovery(
          { recoveryId, waitMs },
          { deadlineMs: waitMs + ADVANCE_MARGIN_MS, signal: activity.cancellationSignal },
        ),
      );
      return toRecoveryProgress(answer);
    } finally {
      places.leaveByRecovery();
      clearInterval(beating);
    }
  },
  async changeRecovery({ recoveryId, change, requestId }) {
    const { recovery } = await ours(() =>
      dispatch.changeRecovery({ recoveryId, change: valueOfLower(RecoveryChange, change), requestId }),
    );
    return toRecoveryProgress({ recovery, underWay: 0 });
  },
});

/** Waiting by a retry leaves no trace in the history. The more recoveries wait, the more often each was turned away. */
const crowded = (attempt: number): ApplicationFailure =>
  failureOf({
    message: "Recoveries have their part of this worker's activities: the step is taken when one is free.",
    type: "RecoveriesCrowded",
    nextRetryDelay: Math.min(CROWDED_LONGEST_MS, CROWDED_FIRST_MS * 2 ** (attempt - 1)),
    category: ApplicationFailureCategory.BENIGN,
  });

/** A recovery in the words of workflows: of what it has, a history gets only this (R-E15). */
export function toRecoveryProgress({ recovery, underWay }: AdvanceRecoveryResponse): RecoveryProgress {
  const state = recovery ? lowerWordOf(RecoveryState, recovery.state) : undefined;
  if (!recovery?.progress || state === undefined)
    throw failureOf({ message: "Services answered with a recovery that this worker does not know.", type: "OwnFault" });
  const { matched, counted, sent, acknowledged, failed, bodyRemoved } = recovery.progress;
  return {
    state,
    ...(typeof recovery.reason === "string" ? { reason: recovery.reason } : {}),
    matched,
    counted,
    sent,
    acknowledged,
    failed,
    bodyRemoved,
    underWay,
  };
}
