import { hash } from "node:crypto";
import type { IfMatch } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import { type Subscription, shownState } from "./subscription.ts";

const TAG_LENGTH = 22;

/**
 * The entity tag of a subscription: some 128 bits of base64url, without quotation marks. It changes with all that is shown
 * of the subscription, whoever changed it, with a header's value and with each new signing secret; a secret that ends does
 * not change it (R-X423). It is a digest of what is stored, so that no write can forget it. Of headers it has the sealed
 * bytes, which say nothing about their values.
 */
export function subscriptionTag(subscription: Subscription): string {
  const { state, stateReason } = shownState(subscription);
  const facts = [
    subscription.id,
    subscription.label,
    subscription.description,
    subscription.instanceIntegrationId,
    subscription.endpointUrl,
    subscription.eventTypes,
    subscription.tenantIds,
    state,
    stateReason ?? null,
    subscription.stateSince.getTime(),
    subscription.extraHeaderNames,
    subscription.sealedHeaders?.toString("base64") ?? null,
    subscription.createdAt.getTime(),
    subscription.updatedAt.getTime(),
    subscription.secretsMade,
  ];
  return hash("sha256", JSON.stringify(facts), "base64url").slice(0, TAG_LENGTH);
}

/**
 * Refuses a write of a subscription that has changed since its caller read it; to be called where it is locked.
 * @throws FAILED_PRECONDITION (precondition_failed).
 */
export function assertMatches(subscription: Subscription, ifMatch: IfMatch | null | undefined): void {
  if (ifMatch === null || ifMatch === undefined || ifMatch.entityTags.includes(subscriptionTag(subscription))) return;
  throw failedPrecondition("precondition_failed", "The subscription has none of the entity tags in If-Match.");
}
