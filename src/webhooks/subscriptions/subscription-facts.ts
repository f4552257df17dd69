import { originOf, type Subscription } from "./subscription.ts";
import type { LockedSubscription } from "./subscription-change-repository.ts";

// What the audit log says of a subscription's fields: no value of a header, no description, and of an endpoint its origin
// alone, since its path and query may be secret.

/** What a new subscription has (R-X341). */
export const createdFacts = (subscription: Subscription): Record<string, string> => ({
  label: subscription.label,
  endpointOrigin: originOf(subscription),
  eventTypes: subscription.eventTypes.join(" "),
  tenants: String(subscription.tenantIds.length),
  extraHeaders: subscription.extraHeaderNames.join(" "),
});

/** What an update changed (R-X278). */
export function changedFacts(before: LockedSubscription, after: LockedSubscription): Record<string, string | boolean> {
  const facts: Record<string, string | boolean> = {};
  const compare = (name: string, from: string, to: string) => {
    if (from !== to) Object.assign(facts, { [`${name}.from`]: from, [`${name}.to`]: to });
  };
  if (after.endpointUrl !== before.endpointUrl) {
    facts.endpointChanged = true;
    facts.endpointOrigin = originOf(after);
  } else if (after.endpointByIntegration !== before.endpointByIntegration) facts.endpointTakenOver = true;
  compare("eventTypes", before.eventTypes.join(" "), after.eventTypes.join(" "));
  compare("tenants", String(before.tenantIds.length), String(after.tenantIds.length));
  if (after.tenantIds.join(" ") !== before.tenantIds.join(" ")) facts.tenantsChanged = true;
  if (after.description !== before.description) facts.descriptionChanged = true;
  if (after.sealedHeaders !== before.sealedHeaders) facts.extraHeaders = after.extraHeaderNames.join(" ");
  return facts;
}
