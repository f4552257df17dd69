import {
  RecoveredState,
  type Recovery as RecoveryMessage,
  RecoveryState as StateMessage,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import type { Recovery } from "./recovery.ts";

/** A recovery in the words of the contract. */
export const toRecoveryMessage = (recovery: Omit<Recovery, "sequence">): RecoveryMessage => ({
  id: recovery.id,
  subscriptionId: recovery.subscriptionId,
  subscriptionLabel: recovery.subscriptionLabel,
  state: valueOfLower(StateMessage, recovery.state),
  reason: recovery.reason ?? null,
  from: recovery.from,
  to: recovery.to,
  states: recovery.states.map((state) => valueOfLower(RecoveredState, state)),
  eventTypes: [...recovery.eventTypes],
  tenantIds: [...recovery.tenantIds],
  createdAt: recovery.createdAt,
  endedAt: recovery.endedAt ?? null,
  progress: {
    matched: recovery.matched,
    counted: recovery.isCounted,
    sent: recovery.sent,
    acknowledged: recovery.acknowledged,
    failed: recovery.failed,
    bodyRemoved: recovery.bodyRemoved,
  },
});
