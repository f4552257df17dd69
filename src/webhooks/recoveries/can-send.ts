import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { BlockedReason } from "../deliveries/delivery-reason.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** Why nothing can be sent again to a subscription now; what is `cancelled` never can. */
interface Unreachable {
  readonly state: "skipped" | "cancelled";
  readonly reason: BlockedReason;
}

/** As for any attempt; `undefined` when it can be sent to. */
export const unreachableBy = (
  subscription: Pick<Subscription, "state" | "connection" | "endpointUrl">,
): Unreachable | undefined => blockedBy(subscription);

const SENTENCES: Readonly<Record<BlockedReason, string>> = {
  subscription_paused: "The subscription is paused. Resume it first.",
  subscription_pending: "The endpoint has not acknowledged a ping yet. Ping it first.",
  subscription_disabled: "The subscription is disabled. Mend its endpoint and enable it first.",
  instance_integration_unconfigured: "The instance integration is not configured. Configure it first.",
  instance_integration_revoked: "The instance integration was revoked, which is final.",
  pull_only: "The subscription has no endpoint. Read its events from the feed, or give it an endpoint.",
};

/**
 * Why nothing can be sent to the subscription now, and what to do; `undefined` when it can be sent to. An instance
 * integration that is not configured goes before what the subscription itself is: everything of it is refused so (R-X346).
 */
export function whyUnreachable(
  subscription: Parameters<typeof unreachableBy>[0],
): { readonly reason: BlockedReason; readonly sentence: string } | undefined {
  const reason =
    subscription.connection === "unconfigured"
      ? "instance_integration_unconfigured"
      : unreachableBy(subscription)?.reason;
  return reason && { reason, sentence: SENTENCES[reason] };
}

/** @throws FAILED_PRECONDITION with the reason as its word when nothing can be sent to the subscription now. */
export function assertCanSend(subscription: Parameters<typeof unreachableBy>[0]): void {
  const unreachable = whyUnreachable(subscription);
  if (unreachable !== undefined) throw failedPrecondition(unreachable.reason, unreachable.sentence);
}
