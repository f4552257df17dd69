import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { assertRecoverable, whyUnrecoverable } from "../../../src/webhooks/recoveries/recoverable.ts";
import type { Subscription } from "../../../src/webhooks/subscriptions/subscription.ts";

type Target = Pick<Subscription, "state" | "connection" | "endpointUrl">;

const SUBSCRIPTION: Target = { state: "active", connection: "configured", endpointUrl: "https://hooks.example/" };

/** The reason with which a request is refused; `undefined` when it is not. */
function refusalOf(subscription: Target): string | undefined {
  try {
    assertRecoverable(subscription);
    return undefined;
  } catch (error) {
    return (error as Failure).reason;
  }
}

describe("a subscription to which something is to be sent again (R-X346)", () => {
  it("can be sent to while it is active, configured and has an endpoint", () => {
    expect([whyUnrecoverable(SUBSCRIPTION), refusalOf(SUBSCRIPTION)]).toEqual([undefined, undefined]);
  });

  it.each<[refusal: string, reason: string, than: Partial<Target>]>([
    ["subscription_paused", "subscription_paused", { state: "paused" }],
    ["subscription_pending", "subscription_pending", { state: "pending" }],
    ["subscription_disabled", "subscription_disabled", { state: "disabled" }],
    ["instance_integration_revoked", "instance_integration_revoked", { connection: "revoked" }],
    ["instance_integration_not_configured", "instance_integration_unconfigured", { connection: "unconfigured" }],
    [
      "instance_integration_not_configured",
      "instance_integration_unconfigured",
      { connection: "unconfigured", state: "paused" },
    ],
    ["subscription_pull_only", "pull_only", { endpointUrl: "" }],
  ])("is refused as every method refuses it, %s, where a delivery has the reason %s: %j", (refusal, reason, than) => {
    const subscription = { ...SUBSCRIPTION, ...than };
    expect(refusalOf(subscription)).toBe(refusal);
    expect(whyUnrecoverable(subscription)?.reason).toBe(reason);
  });
});
