import { blockedBy } from "../../../src/webhooks/subscriptions/may-send.ts";

describe("what keeps deliveries of a subscription back (R-E8, R-E14)", () => {
  it("is nothing while it is active and its instance integration configured", () => {
    expect(blockedBy({ state: "active", connection: "configured" })).toBeUndefined();
  });

  it.each(["active", "paused", "disabled"] as const)(
    "is first its revoked instance integration, which is final, when the subscription is %s",
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

  it("is last an instance integration that is not configured", () => {
    expect(blockedBy({ state: "active", connection: "unconfigured" })).toEqual({
      state: "skipped",
      reason: "instance_integration_unconfigured",
    });
  });
});
