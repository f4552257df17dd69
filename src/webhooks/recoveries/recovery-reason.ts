import { BLOCKED_REASONS } from "../deliveries/delivery-reason.ts";

/**
 * Why a recovery is paused or cancelled: what keeps its deliveries from being sent, what its endpoint does, or whoever
 * asked for it. The contract lists the same words, with their meaning.
 */
export const RECOVERY_REASONS = [
  ...BLOCKED_REASONS,
  "subscription_deleted",
  "endpoint_failing",
  "operator",
  "integration",
  "store_restored",
] as const;

export type RecoveryReason = (typeof RECOVERY_REASONS)[number];
