import type { OutboxEntry, TakenEntry } from "#runtime/outbox/outbox.ts";
import { patternMatches, type Subscription } from "../subscriptions/subscription.ts";

/** No list of tenants can name a new one yet, so only subscriptions without a list get its creation (R-E14). */
const NEVER_WITH_A_TENANT_LIST = "client.created";

/**
 * True when the subscription wants the event (R-E14). The outbox's order decides what is older than the subscription,
 * never two clocks (R-X140). The subscription's own state does not matter here: a paused one gets its delivery,
 * skipped. One whose instance integration is revoked gets none.
 */
export function wants(subscription: Subscription, entry: TakenEntry): boolean {
  return (
    subscription.connection !== "revoked" &&
    subscription.instanceId === entry.instanceId &&
    subscription.eventsAfter < entry.sequence &&
    subscription.eventTypes.some((pattern) => patternMatches(pattern, entry.eventType)) &&
    wantsTenant(subscription.tenantIds, entry)
  );
}

function wantsTenant(tenantIds: readonly string[], { eventType, tenantId }: OutboxEntry): boolean {
  if (tenantIds.length === 0) return true;
  return eventType !== NEVER_WITH_A_TENANT_LIST && tenantId !== null && tenantIds.includes(tenantId);
}
