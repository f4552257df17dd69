import { DeliveryState, SubscriptionState } from "../../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { pinged } from "../../../../src/cli/commands/subscriptions/pinged.ts";
import type { Asked } from "../../../../src/cli/connection/verb.ts";

/** What a command says of an acknowledged ping, after which the subscription is in this state. */
async function saidAfter(state: SubscriptionState): Promise<string> {
  const ping = { id: "delivery_1", state: DeliveryState.DELIVERED, attempts: [] };
  const subscriptions = { pingSubscription: async () => ({ subscription: { state }, ping }) };
  const { said } = await pinged({ subscriptions } as unknown as Asked, "subscription_1");
  return said;
}

describe("an acknowledged ping", () => {
  it.each([
    [SubscriptionState.ACTIVE, "The endpoint acknowledged a ping: the subscription is active."],
    [SubscriptionState.PAUSED, "The endpoint acknowledged a ping."],
    [
      SubscriptionState.PENDING,
      "The endpoint acknowledged a ping. The subscription stays pending: its address is the endpoint of another integration, or was changed meanwhile; “gatehouse subscriptions update --endpoint-url” with its address takes it over.",
    ],
  ])("of a subscription that is %s then", async (state, said) => {
    expect(await saidAfter(state)).toBe(said);
  });
});
