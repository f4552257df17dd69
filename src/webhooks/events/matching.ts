import type { OutboxEntry, TakenEntry } from "#runtime/outbox/outbox.ts";
import { patternMatches } from "../subscriptions/event-type-patterns.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** A new tenant cannot stand in anybody's list yet, so its creation is told only to those who want all (R-E14). */
const NEVER_WITH_A_TENANT_LIST = "client.created";

/**
 * True when the subscription wants the event (R-E14). What is older than the subscription is known by the outbox's order, never by two
 * clocks (R-X140). The state does not matter here: a paused one gets its delivery,
 * skipped; only one whose instance integration is revoked takes part in nothing any more.
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
