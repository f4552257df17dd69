import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { BlockedReason } from "../deliveries/delivery-reason.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** What is asked about: a subscription to which something is to be sent again. */
type Target = Pick<Subscription, "state" | "connection" | "endpointUrl">;

interface Unrecoverable {
  readonly reason: BlockedReason;
  readonly sentence: string;
}

const SENTENCES: Readonly<Record<BlockedReason, string>> = {
  subscription_paused: "The subscription is paused. Resume it first.",
  subscription_pending: "The endpoint has not acknowledged a ping yet. Ping it first.",
  subscription_disabled: "The subscription is disabled. Mend its endpoint and enable it first.",
  instance_integration_unconfigured: "The instance integration is not configured. Configure it first.",
  instance_integration_revoked: "The instance integration was revoked, which is final.",
  pull_only: "The subscription has no endpoint. Read its events from the feed, or give it an endpoint.",
};

/**
 * Why nothing can be sent again to the subscription now, and what to do; `undefined` when it can be sent to. An
 * instance integration that is not configured goes before what the subscription itself is (R-X346).
 */
export function whyUnrecoverable(subscription: Target): Unrecoverable | undefined {
  const reason =
    subscription.connection === "unconfigured" ? "instance_integration_unconfigured" : blockedBy(subscription)?.reason;
  return reason && { reason, sentence: SENTENCES[reason] };
}

/** Reasons of deliveries for which a refused request has another word, that of the other methods. */
const REFUSED_AS: Readonly<Partial<Record<BlockedReason, string>>> = {
  instance_integration_unconfigured: "instance_integration_not_configured",
  pull_only: "subscription_pull_only",
};

/** @throws FAILED_PRECONDITION with the reason as its word when nothing can be sent again to the subscription now. */
export function assertRecoverable(subscription: Target): void {
  const why = whyUnrecoverable(subscription);
  if (why !== undefined) throw failedPrecondition(REFUSED_AS[why.reason] ?? why.reason, why.sentence);
}
