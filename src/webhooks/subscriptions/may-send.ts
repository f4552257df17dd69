import type { Subscription, SubscriptionState } from "./subscription.ts";

/** Why a delivery is not sent; a closed set, since operators read each of them in words (R-E15). */
export type BlockedReason =
  | `subscription_${Exclude<SubscriptionState, "active"> | "deleted"}`
  | "instance_integration_unconfigured"
  | "instance_integration_revoked";

/** What becomes of a delivery that must not be sent. */
export interface Blocked {
  readonly state: "skipped" | "cancelled";
  readonly reason: BlockedReason;
}

/** The subscription's row is gone: its deliveries can never be sent. */
export const DELETED: Blocked = { state: "cancelled", reason: "subscription_deleted" };

/** Why nothing may be sent to the subscription now; `undefined` when it may (R-E8, R-E14). What is final goes first. */
export function blockedBy({ state, connection }: Pick<Subscription, "state" | "connection">): Blocked | undefined {
  if (connection === "revoked") return { state: "cancelled", reason: "instance_integration_revoked" };
  if (state !== "active") return { state: "skipped", reason: `subscription_${state}` };
  if (connection === "unconfigured") return { state: "skipped", reason: "instance_integration_unconfigured" };
  return undefined;
}
