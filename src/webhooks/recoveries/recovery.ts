import type { IntegrationId, RecoveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import type { SettledState } from "../deliveries/delivery.ts";
import type { RecoveryReason } from "./recovery-reason.ts";

/** Channel of `wake` on which recoveries that were started or resumed are announced. */
export const RECOVERIES_CHANNEL = "webhook-recoveries";

export type RecoveryState = "running" | "paused" | "finished" | "cancelled";

/** Deliveries in these can be recovered. */
export type RecoverableState = Extract<SettledState, "exhausted" | "skipped">;

/** Which deliveries of a subscription a recovery sends again. */
export interface RecoveryFilter {
  /** Of deliveries made from then on, until before `to`. */
  readonly from: Date;
  readonly to: Date;
  readonly states: readonly RecoverableState[];
  /** Empty: every type. */
  readonly eventTypes: readonly string[];
  /** Empty: every tenant. */
  readonly tenantIds: readonly string[];
}

/** How many deliveries a recovery has found and sent, and how that ended. */
interface RecoveryCounts {
  readonly matched: number;
  /** Deliveries under way included. */
  readonly sent: number;
  readonly acknowledged: number;
  readonly failed: number;
  /** Not sent, because the body is no longer kept. */
  readonly bodyRemoved: number;
}

/** A stored job that sends deliveries of one subscription again (R-E10). */
export interface Recovery extends RecoveryFilter, RecoveryCounts {
  readonly sequence: number;
  readonly id: RecoveryId;
  readonly subscriptionId: SubscriptionId;
  /** As it was when the recovery was started. */
  readonly subscriptionLabel: string;
  readonly integrationId: IntegrationId;
  readonly state: RecoveryState;
  /** Why it is paused or cancelled, as a word. */
  readonly reason: RecoveryReason | undefined;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
  /** The delivery that counting has reached, and whether that was the last one. */
  readonly countedTo: number;
  readonly isCounted: boolean;
  /** The delivery that sending has reached, and whether that was the last one. */
  readonly sentTo: number;
  readonly isAllFound: boolean;
  /** Failures since the last acknowledgement. */
  readonly failedInRow: number;
}

/** What one step of a recovery changes of it. */
export type RecoveryStep = Pick<
  Recovery,
  keyof RecoveryCounts | "state" | "reason" | "countedTo" | "isCounted" | "sentTo" | "isAllFound" | "failedInRow"
>;

export const hasEnded = ({ state }: Pick<Recovery, "state">): boolean => state === "finished" || state === "cancelled";
