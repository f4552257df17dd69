/** Why a subscription was disabled without anybody asking for it (R-E6, R-E12). */
const DISABLED_BY = ["gone", "failing"] as const;

/** Why a subscription is shown in its state. The contract lists the same words, with their meaning. */
export const STATE_REASONS = [
  ...DISABLED_BY,
  "instance_integration_unconfigured",
  "instance_integration_revoked",
] as const;

export type DisabledBy = (typeof DISABLED_BY)[number];

export type StateReason = (typeof STATE_REASONS)[number];
