import {
  RecoveredState,
  type Recovery,
  type RecoveryNotStarted,
  RecoveryState,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { optional, present, toInstant, type Wire } from "./wire.ts";

export function toWireRecovery(message: Recovery | null): Wire["Recovery"] {
  const recovery = present(message);
  const { matched, counted, sent, acknowledged, failed, bodyRemoved } = present(recovery.progress);
  return {
    id: recovery.id,
    subscriptionId: recovery.subscriptionId,
    state: present(lowerWordOf(RecoveryState, recovery.state)),
    ...optional("reason", recovery.reason),
    from: toInstant(recovery.from),
    to: toInstant(recovery.to),
    states: recovery.states.map((state) => present(lowerWordOf(RecoveredState, state))),
    eventTypes: [...recovery.eventTypes],
    clientIds: [...recovery.tenantIds],
    createdAt: toInstant(recovery.createdAt),
    ...(recovery.endedAt ? { endedAt: toInstant(recovery.endedAt) } : {}),
    progress: { matched, counted, sent, acknowledged, failed, bodyRemoved },
  };
}

export const toWireNotStarted = ({
  subscriptionId,
  reason,
  sentence,
}: RecoveryNotStarted): Wire["RecoveryNotStarted"] => ({
  subscriptionId,
  reason,
  detail: sentence,
});
