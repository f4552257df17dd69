import type { RecoveryName, RecoveryProgress } from "./webhook-recovery-activities.ts";

/** What operators read about a recovery. Pure, so that a replay says the same; only what R-E15 allows. */

const REASONS: Readonly<Record<string, string>> = {
  operator: "an operator said so",
  integration: "the integration said so",
  endpoint_failing: "the endpoint fails all the time",
  subscription_paused: "its subscription is paused",
  subscription_disabled: "its subscription is disabled",
  subscription_pending: "its endpoint has not acknowledged a ping yet",
  subscription_deleted: "its subscription was deleted",
  instance_integration_unconfigured: "its instance integration is not configured",
  instance_integration_revoked: "its instance integration was revoked",
  pull_only: "its subscription has no endpoint",
  store_restored: "the store was restored from a backup",
};

/** `recovery of acme-hr`. */
export const recoverySummary = ({ subscription }: RecoveryName): string => `recovery of ${subscription}`;

/** `120 of 500 sent, 118 acknowledged, 2 failed`. */
export function countsOf({ matched, counted, sent, acknowledged, failed, bodyRemoved }: RecoveryProgress): string {
  const found = counted ? String(matched) : `${matched} so far`;
  const removed = bodyRemoved === 0 ? "" : `, ${bodyRemoved} not sent since the body is no longer kept`;
  return `${sent} of ${found} sent, ${acknowledged} acknowledged, ${failed} failed${removed}`;
}

/** Of the activity that sends. */
export const advanceSummary = (name: RecoveryName, progress: RecoveryProgress): string =>
  `${recoverySummary(name)}: ${countsOf(progress)}`;

/** What an operator may do, in Markdown; true from the beginning to the end. */
export const recoveryDetails = ({ recoveryId, subscription }: RecoveryName): string =>
  [
    `The recovery \`${recoveryId}\` sends again what was not delivered to \`${subscription}\`: one attempt for each delivery.`,
    "",
    "- **Do nothing**: it goes on beside what is sent live, and ends by itself.",
    "- **Pause and resume**: send the signal `pause` or `resume`.",
    "- **Give up**: send the signal `cancel`, or request cancellation. What is under way still ends.",
    "",
    "Terminating gives nothing up: a new run appears within two minutes and goes on where this one was.",
  ].join("\n");

const because = (reason: string | undefined): string =>
  reason === undefined ? "" : `, because ${REASONS[reason] ?? reason}`;

/** The recovery's progress, in Markdown. */
export const currentRecovery = (progress: RecoveryProgress): string =>
  [
    `### ${progress.state}${because(progress.reason)}`,
    "",
    `- ${countsOf(progress)}`,
    `- under way: **${progress.underWay}**`,
  ].join("\n");

/** How a recovery ended. */
export const endedRecovery = (progress: RecoveryProgress): string =>
  `${progress.state === "finished" ? "Finished" : "Cancelled"}${because(progress.reason)}: ${countsOf(progress)}.`;
