import { newTimedId, type TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { NewDelivery } from "../deliveries/delivery.ts";
import { blockedBy } from "../subscriptions/may-send.ts";
import { originOf, type Subscription } from "../subscriptions/subscription.ts";
import { eventBody, type Reported } from "./envelope.ts";

interface Making {
  readonly at: Date;
  readonly random: Random;
  /** The plan that new deliveries get (R-E6). */
  readonly delaysMs: readonly number[];
}

/** What a subscription is owed of an event. What must not be sent gets its row too, so that it can be recovered (R-E9). */
export function owedDelivery(
  subscription: Subscription,
  entry: Reported,
  { at, random, delaysMs }: Making,
): NewDelivery {
  const blocked = blockedBy(subscription, entry.eventType);
  return {
    id: newTimedId("delivery", at, random),
    eventId: entry.eventId,
    eventType: entry.eventType,
    occurredAt: entry.occurredAt,
    tenantId: (entry.tenantId ?? undefined) as TenantId | undefined,
    subscriptionId: subscription.id,
    endpointOrigin: originOf(subscription),
    state: blocked?.state ?? "pending",
    reason: blocked?.reason,
    delaysMs,
    createdAt: at,
    dueAt: blocked === undefined ? at : undefined,
    body: eventBody(entry, subscription.instanceIntegrationId),
  };
}
