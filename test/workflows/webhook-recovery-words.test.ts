import type { RecoveryReason } from "../../src/webhooks/recoveries/recovery-reason.ts";
import type { RecoveryProgress } from "../../workflows/webhook-recovery-activities.ts";
import {
  advanceSummary,
  countsOf,
  currentRecovery,
  endedRecovery,
  recoveryDetails,
} from "../../workflows/webhook-recovery-words.ts";

const NAME = { recoveryId: "recovery_1", subscription: "acme-hr" };
const RUNNING: RecoveryProgress = {
  ...{ state: "running", matched: 500, counted: true, sent: 120 },
  ...{ acknowledged: 108, failed: 2, bodyRemoved: 0, underWay: 10 },
};

/** The compiler keeps it total. */
const REASONS: Readonly<Record<RecoveryReason, string>> = {
  subscription_paused: "its subscription is paused",
  subscription_disabled: "its subscription is disabled",
  subscription_pending: "its endpoint has not acknowledged a ping yet",
  subscription_deleted: "its subscription was deleted",
  instance_integration_unconfigured: "its instance integration is not configured",
  instance_integration_revoked: "its instance integration was revoked",
  pull_only: "its subscription has no endpoint",
  endpoint_failing: "the endpoint fails all the time",
  operator: "an operator said so",
  integration: "the integration said so",
  store_restored: "the store was restored from a backup",
};

describe("what operators read about a recovery (R-X285)", () => {
  it.each<[string, Partial<RecoveryProgress>, string]>([
    ["counted", {}, "120 of 500 sent, 108 acknowledged, 2 failed"],
    ["still counted", { counted: false }, "120 of 500 so far sent, 108 acknowledged, 2 failed"],
    [
      "without some bodies",
      { bodyRemoved: 3 },
      "120 of 500 sent, 108 acknowledged, 2 failed, 3 not sent since the body is no longer kept",
    ],
  ])("the counts of one that is %s", (_, more, expected) => {
    expect(countsOf({ ...RUNNING, ...more })).toBe(expected);
  });

  it("while it runs, and what one may do", () => {
    expect(advanceSummary(NAME, RUNNING)).toBe("recovery of acme-hr: 120 of 500 sent, 108 acknowledged, 2 failed");
    expect(currentRecovery(RUNNING)).toBe(
      "### running\n\n- 120 of 500 sent, 108 acknowledged, 2 failed\n- under way: **10**",
    );
    expect(recoveryDetails(NAME)).toContain("`pause` or `resume`");
  });

  it.each(Object.entries(REASONS))("has words for the reason %s", (reason, words) => {
    expect(currentRecovery({ ...RUNNING, state: "paused", reason })).toContain(`### paused, because ${words}\n`);
  });

  it.each<[Partial<RecoveryProgress>, string]>([
    [{ state: "finished" }, "Finished: 120 of 500 sent, 108 acknowledged, 2 failed."],
    [
      { state: "cancelled", reason: "subscription_deleted" },
      "Cancelled, because its subscription was deleted: 120 of 500 sent, 108 acknowledged, 2 failed.",
    ],
    [
      { state: "cancelled", reason: "a_word_of_later" },
      "Cancelled, because a_word_of_later: 120 of 500 sent, 108 acknowledged, 2 failed.",
    ],
  ])("how it ended: %j", (more, expected) => {
    expect(endedRecovery({ ...RUNNING, ...more })).toBe(expected);
  });
});
