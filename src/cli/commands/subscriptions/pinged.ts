import {
  DeliveryState,
  type Subscription,
  SubscriptionState,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { present } from "../../connection/answers.ts";
import type { Asked } from "../../connection/verb.ts";
import type { Facts } from "../../output/card.ts";
import { deliveryFacts, toDeliveryJson } from "../deliveries/delivery-shown.ts";

/** How long a command waits for what an endpoint answers. */
const WAIT_MS = 8_000;

/** A ping and what became of it. */
interface Pinged {
  /** As it is afterwards. */
  readonly subscription: Subscription;
  readonly acknowledged: boolean;
  /** What came back, in a sentence. */
  readonly said: string;
  readonly json: object;
  readonly facts: Facts;
}

/** Pings the endpoint, or waits for the ping that is under way. */
export async function pinged(asked: Asked, subscriptionId: string): Promise<Pinged> {
  const answer = await asked.subscriptions.pingSubscription({ subscriptionId, waitMs: WAIT_MS }, asked.call);
  const subscription = present(answer.subscription);
  const ping = present(answer.ping);
  const acknowledged = ping.state === DeliveryState.DELIVERED;
  const attempt = deliveryFacts(ping).filter(([name]) => name.startsWith("attempt") || name.startsWith("  answer"));
  return {
    subscription,
    acknowledged,
    said: saidOf(ping.state, subscription),
    json: { ping: toDeliveryJson(ping) },
    facts: [["ping", ping.id], ...attempt],
  };
}

/**
 * The same of a subscription that the command has made or changed already: the command has done its work, and may have a
 * secret to show, so a call that fails only leaves open what came back.
 */
export async function pingedAfterwards(asked: Asked, subscription: Subscription): Promise<Pinged> {
  try {
    return await pinged(asked, subscription.id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const said = "The subscription is pending: what came back of its ping is not known, since the call for it failed.";
    return { subscription, acknowledged: false, said, json: { ping: null }, facts: [] };
  }
}

const AFTER_ACKNOWLEDGED: Partial<Record<SubscriptionState, string>> = {
  [SubscriptionState.ACTIVE]: ": the subscription is active",
  // R-X374; or a ping that was under way to an earlier address.
  [SubscriptionState.PENDING]:
    ". The subscription stays pending: its address is the endpoint of another integration, or was changed meanwhile; “gatehouse subscriptions update --endpoint-url” with its address takes it over",
};

function saidOf(state: DeliveryState, { state: after }: Subscription): string {
  const then =
    after === SubscriptionState.PENDING ? " The subscription stays pending, and its events are skipped." : "";
  switch (state) {
    case DeliveryState.DELIVERED:
      return `The endpoint acknowledged a ping${AFTER_ACKNOWLEDGED[after] ?? ""}.`;
    case DeliveryState.PENDING:
      return `The ping waits or is under way still; what comes back is in the list of deliveries.${then}`;
    default:
      return `The endpoint did not acknowledge the ping.${then}`;
  }
}
