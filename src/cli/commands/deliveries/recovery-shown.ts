import {
  RecoveredState,
  type Recovery,
  type RecoveryNotStarted,
  RecoveryState,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import type { Facts } from "../../output/card.ts";
import { enumWord } from "../../output/enum-word.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";

/** How long a time one recovery may be of (proto/gatehouse/webhooks/v1/recoveries.proto). */
export const RECOVERY_DAYS_MAX = 31;

/** Columns of a list of recoveries. */
export const RECOVERY_COLUMNS = [
  { heading: "subscription", cell: ({ subscriptionLabel }: Recovery) => subscriptionLabel },
  { heading: "state", cell: (recovery: Recovery) => stateOf(recovery) },
  { heading: "sent", cell: (recovery: Recovery) => `${progressOf(recovery).sent} of ${progressOf(recovery).matched}` },
  { heading: "acknowledged", cell: (recovery: Recovery) => String(progressOf(recovery).acknowledged) },
  { heading: "started", cell: ({ createdAt }: Recovery) => toShownInstant(createdAt) },
  { heading: "id", cell: ({ id }: Recovery) => id },
];

/** Columns of what became of each subscription. */
export const STARTED_COLUMNS = [
  { heading: "subscription", cell: ({ subscriptionLabel }: Recovery | RecoveryNotStarted) => subscriptionLabel },
  { heading: "recovery", cell: (one: Recovery | RecoveryNotStarted) => ("id" in one ? one.id : undefined) },
  {
    heading: "not started",
    cell: (one: Recovery | RecoveryNotStarted) => ("sentence" in one ? one.sentence : undefined),
  },
];

export const toNotStartedJson = ({ subscriptionId, subscriptionLabel, reason }: RecoveryNotStarted) => ({
  subscriptionId,
  subscriptionLabel,
  reason,
});

/** A recovery as people see it. */
export function recoveryFacts(recovery: Recovery): Facts {
  const { matched, counted, sent, acknowledged, failed, bodyRemoved } = progressOf(recovery);
  const states = recovery.states.map((state) => enumWord(RecoveredState, state));
  return [
    ["id", recovery.id],
    ["subscription", `${recovery.subscriptionLabel} (${recovery.subscriptionId})`],
    ["state", stateOf(recovery)],
    [
      "deliveries",
      `${states.join(" and ")}, made from ${toShownInstant(recovery.from)} to ${toShownInstant(recovery.to)}`,
    ],
    ["event types", recovery.eventTypes.length === 0 ? undefined : recovery.eventTypes.join(", ")],
    ["tenants", recovery.tenantIds.length === 0 ? undefined : recovery.tenantIds.join(", ")],
    ["found", counted ? String(matched) : `${matched} so far`],
    ["sent", String(sent)],
    ["acknowledged", String(acknowledged)],
    ["failed", String(failed)],
    ["body removed", bodyRemoved === 0 ? undefined : `${bodyRemoved}: bodies are kept for webhook-body-days`],
    ["started", toShownInstant(recovery.createdAt)],
    ["ended", toShownInstant(recovery.endedAt) ?? undefined],
  ];
}

const stateOf = ({ state, reason }: Recovery): string => {
  const word = enumWord(RecoveryState, state);
  return reason ? `${word} (${reason.replaceAll("_", " ")})` : word;
};

const NOTHING = { matched: 0, counted: false, sent: 0, acknowledged: 0, failed: 0, bodyRemoved: 0 };

const progressOf = ({ progress }: Recovery) => progress ?? NOTHING;

/** A recovery as `--json` shows it. */
export const toRecoveryJson = (recovery: Recovery) => ({
  id: recovery.id,
  subscriptionId: recovery.subscriptionId,
  subscriptionLabel: recovery.subscriptionLabel,
  state: enumWord(RecoveryState, recovery.state),
  reason: recovery.reason ?? null,
  from: toJsonInstant(recovery.from),
  to: toJsonInstant(recovery.to),
  states: recovery.states.map((state) => enumWord(RecoveredState, state)),
  eventTypes: recovery.eventTypes,
  tenantIds: recovery.tenantIds,
  createdAt: toJsonInstant(recovery.createdAt),
  endedAt: toJsonInstant(recovery.endedAt),
  progress: progressOf(recovery),
});
