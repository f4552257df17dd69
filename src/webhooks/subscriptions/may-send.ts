import { type BlockedReason, PULL_ONLY } from "../deliveries/delivery-reason.ts";
import { PING } from "./ping.ts";
import { isPullOnly, type Subscription } from "./subscription.ts";

/** What becomes of a delivery that must not be sent. */
export interface Blocked {
  readonly state: "skipped" | "cancelled";
  readonly reason: BlockedReason;
}

/** The subscription's row is gone: its deliveries can never be sent. */
export const DELETED = { state: "cancelled", reason: "subscription_deleted" } as const;

/**
 * Why no event of the type, or of any, may be sent to the subscription now; `undefined` when it may (R-E8, R-E14). What
 * is final goes first. A ping is sent in every state, since its answer decides on one (R-X271).
 */
export function blockedBy(
  subscription: Pick<Subscription, "state" | "connection" | "endpointUrl">,
  eventType?: string,
): Blocked | undefined {
  const { state, connection } = subscription;
  if (connection === "revoked") return { state: "cancelled", reason: "instance_integration_revoked" };
  if (state !== "active" && eventType !== PING) return { state: "skipped", reason: `subscription_${state}` };
  if (connection === "unconfigured") return { state: "skipped", reason: "instance_integration_unconfigured" };
  if (isPullOnly(subscription)) return { state: "skipped", reason: PULL_ONLY };
  return undefined;
}
