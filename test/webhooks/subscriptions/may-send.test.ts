import { blockedBy } from "../../../src/webhooks/subscriptions/may-send.ts";
import { PING } from "../../../src/webhooks/subscriptions/ping.ts";
import type { Subscription } from "../../../src/webhooks/subscriptions/subscription.ts";

const ENDPOINT = { endpointUrl: "https://hooks.example/" };

/** Why no `user.updated` is sent. */
const blocked = (subscription: Pick<Subscription, "state" | "connection">) =>
  blockedBy({ ...ENDPOINT, ...subscription }, "user.updated");

describe("what keeps deliveries of a subscription back (R-E8, R-E14)", () => {
  it("is absent while it is active and its instance integration configured", () => {
    expect(blocked({ state: "active", connection: "configured" })).toBeUndefined();
  });

  it.each(["active", "pending", "paused", "disabled"] as const)(
    "is its revoked instance integration first, which is final, when the subscription is %s",
    (state) => {
      expect(blocked({ state, connection: "revoked" })).toEqual({
        state: "cancelled",
        reason: "instance_integration_revoked",
      });
    },
  );

  it.each([
    ["pending", "configured"],
    ["pending", "unconfigured"],
    ["paused", "configured"],
    ["paused", "unconfigured"],
    ["disabled", "configured"],
    ["disabled", "unconfigured"],
  ] as const)("is then its own state: %s, while its instance integration is %s", (state, connection) => {
    expect(blocked({ state, connection })).toEqual({ state: "skipped", reason: `subscription_${state}` });
  });

  it("is an instance integration that is not configured, after everything else", () => {
    expect(blocked({ state: "active", connection: "unconfigured" })).toEqual({
      state: "skipped",
      reason: "instance_integration_unconfigured",
    });
  });

  it("is, for a subscription without an endpoint, that nothing is posted to it (R-X275)", () => {
    const pullOnly = { state: "active", connection: "configured", endpointUrl: "" } as const;
    expect(blockedBy(pullOnly, "user.updated")).toEqual({ state: "skipped", reason: "pull_only" });
  });

  it.each(["active", "pending", "paused", "disabled"] as const)(
    "is absent for a ping while it is %s (R-X271)",
    (state) => {
      expect(blockedBy({ ...ENDPOINT, state, connection: "configured" }, PING)).toBeUndefined();
    },
  );

  it("is an instance integration that is not configured, or revoked, for a ping too", () => {
    const reasons = (["unconfigured", "revoked"] as const).map(
      (connection) => blockedBy({ ...ENDPOINT, state: "pending", connection }, PING)?.reason,
    );
    expect(reasons).toEqual(["instance_integration_unconfigured", "instance_integration_revoked"]);
  });
});
