import { blockedBy } from "../../../src/webhooks/subscriptions/may-send.ts";

describe("what keeps a subscription from being sent to (R-E8, R-E14)", () => {
  it("is nothing while it is active and its instance integration configured", () => {
    expect(blockedBy({ state: "active", connection: "configured" })).toBeUndefined();
  });

  it.each(["active", "paused", "disabled"] as const)(
    "is first of all that its instance integration is revoked, which is final, when it is %s",
    (state) => {
      expect(blockedBy({ state, connection: "revoked" })).toEqual({
        state: "cancelled",
        reason: "instance_integration_revoked",
      });
    },
  );

  it.each([
    ["paused", "configured"],
    ["paused", "unconfigured"],
    ["disabled", "configured"],
    ["disabled", "unconfigured"],
  ] as const)("is then its own state: %s, while its instance integration is %s", (state, connection) => {
    expect(blockedBy({ state, connection })).toEqual({ state: "skipped", reason: `subscription_${state}` });
  });

  it("is at last that its instance integration is not configured", () => {
    expect(blockedBy({ state: "active", connection: "unconfigured" })).toEqual({
      state: "skipped",
      reason: "instance_integration_unconfigured",
    });
  });
});
