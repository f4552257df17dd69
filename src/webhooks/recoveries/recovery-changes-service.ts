import type {
  CancelRecoveryResponse,
  PauseRecoveryResponse,
  ResumeRecoveryResponse,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { RepeatKey } from "#runtime/changes/repeated-request.ts";
import type { Transaction } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import type { Scope } from "../subscriptions/scope.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { withEndedCounted } from "./ended-resends-service.ts";
import { reportFinished } from "./finished-recovery-service.ts";
import { assertRecoverable } from "./recoverable.ts";
import { assertRecoveryId, visible } from "./recoveries-service.ts";
import { hasEnded, RECOVERIES_CHANNEL, type Recovery, type RecoveryStep } from "./recovery.ts";
import type { RecoveryDeliveryRepository } from "./recovery-delivery-repository.ts";
import type { RecoveryRepository } from "./recovery-repository.ts";
import { toRecoveryMessage } from "./recovery-wire.ts";

export interface RecoveryChangesDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly recoveries: RecoveryRepository;
  readonly recovered: RecoveryDeliveryRepository;
  readonly subscriptions: Pick<SubscriptionRepository, "find">;
}

/** What may be asked of an unfinished recovery. */
export type RecoveryChange = "pause" | "resume" | "cancel";

const NOTED = {
  pause: { action: "recovery.pause" },
  resume: { action: "recovery.resume" },
  cancel: { action: "recovery.cancel" },
} as const satisfies Readonly<Record<RecoveryChange, object>>;

type Changed = PauseRecoveryResponse & ResumeRecoveryResponse & CancelRecoveryResponse;

/**
 * Pauses, resumes or cancels a recovery; one that is as asked already, or has ended, stays as it is, and the answer
 * shows it. What is under way ends in any case, and is counted.
 * @throws INVALID_ARGUMENT for what is not an id; NOT_FOUND outside the scope; FAILED_PRECONDITION when it is to be resumed
 * and was cancelled, or nothing can be sent to its subscription now.
 */
export const changeRecovery =
  ({ changes, recoveries, recovered, subscriptions }: RecoveryChangesDeps, wanted: RecoveryChange) =>
  async (
    scope: Scope,
    { recoveryId }: { readonly recoveryId: string },
    { requestId, repeat }: Pick<Call, "requestId"> & { readonly repeat?: RepeatKey<Changed> },
  ): Promise<Changed> => {
    assertRecoveryId(recoveryId);
    return changes.run(
      async (change) => {
        const { db, at, audit, wakeAfter } = change;
        const recovery = visible(scope, await recoveries.lock(db, recoveryId), recoveryId);
        const { state, reason } = RESULTS[wanted];
        if (wanted === "resume") await assertResumable(db, recovery);
        if (recovery.state === state || hasEnded(recovery)) return { recovery: toRecoveryMessage(recovery) };
        const step: Partial<RecoveryStep> = { state, reason: reason && scope.kind, failedInRow: 0 };
        const after = { ...(await withEndedCounted(recovered, change, recovery)), ...step };
        await recoveries.update(db, recovery, after, at);
        await audit({ actor: scope.actor, ...NOTED[wanted], object: recoveryId });
        wakeAfter(RECOVERIES_CHANNEL);
        // With attempts under way, the step that counts the last of them reports it.
        if (hasEnded(after) && (await recovered.countUnderWay(db, recovery.sequence)) === 0)
          await reportFinished(subscriptions, change, after);
        return { recovery: toRecoveryMessage({ ...after, endedAt: hasEnded({ state }) ? at : undefined }) };
      },
      { requestId, repeat },
    );

    async function assertResumable(db: Transaction<WebhooksTables>, recovery: Recovery): Promise<void> {
      const { state, subscriptionId } = recovery;
      if (state !== "paused" && state !== "cancelled") return;
      const subscription = await subscriptions.find(db, subscriptionId);
      // What nothing can be sent to any more goes before: another recovery would not help. Of a deleted one the next step says so.
      if (subscription !== undefined && (state === "paused" || blockedBy(subscription)?.state === "cancelled"))
        assertRecoverable(subscription);
      if (state === "cancelled")
        throw failedPrecondition("recovery_cancelled", "The recovery was cancelled. Start another one.");
    }
  };

const RESULTS = {
  pause: { state: "paused", reason: true },
  resume: { state: "running", reason: undefined },
  cancel: { state: "cancelled", reason: true },
} as const;
