import type { DeliveryState } from "../deliveries/delivery.ts";
import type { Subscription, SubscriptionState } from "./subscription.ts";

/** Why a delivery is not sent; a closed set, since operators are told each of them in words (R-E15). */
export type HoldReason =
  | `subscription_${Exclude<SubscriptionState, "active"> | "deleted"}`
  | "instance_integration_unconfigured"
  | "instance_integration_revoked";

/** What becomes of a delivery that must not be sent. */
export interface Hold {
  readonly state: Extract<DeliveryState, "skipped" | "cancelled">;
  readonly reason: HoldReason;
}

/** Why nothing may be sent to the subscription now; `undefined` when it may (R-E8, R-E14). What is final goes first. */
export function holdOf({ state, connection }: Pick<Subscription, "state" | "connection">): Hold | undefined {
  if (connection === "revoked") return { state: "cancelled", reason: "instance_integration_revoked" };
  if (state !== "active") return { state: "skipped", reason: `subscription_${state}` };
  if (connection === "unconfigured") return { state: "skipped", reason: "instance_integration_unconfigured" };
  return undefined;
}
