import { FAILED_OUTCOMES } from "./outcome.ts";

/** Why a delivery is skipped whose subscription has no endpoint: its event is read from the feed. */
export const PULL_ONLY = "pull_only";

/** Why nothing is sent to a subscription that there is; operators read each of them in words (R-E15). */
export const BLOCKED_REASONS = [
  "subscription_pending",
  "subscription_paused",
  "subscription_disabled",
  PULL_ONLY,
  "instance_integration_unconfigured",
  "instance_integration_revoked",
] as const;

export type BlockedReason = (typeof BLOCKED_REASONS)[number];

/**
 * Why a delivery was skipped, cancelled or exhausted, or waits: every word that is stored with one. The contract lists
 * the same words, with their meaning.
 */
export const DELIVERY_REASONS = [
  ...BLOCKED_REASONS,
  "subscription_deleted",
  "body_removed",
  "operator",
  "store_restored",
  ...FAILED_OUTCOMES,
] as const;

export type DeliveryReason = (typeof DELIVERY_REASONS)[number];
