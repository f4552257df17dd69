import type { DeliveryId, EventId, SubscriptionId } from "#runtime/basis/ids.ts";
import type { DeliveriesTable } from "../tables.ts";
import type { Delivery } from "./delivery.ts";

/** A row as a query returns it. */
export type DeliveryRow = Omit<DeliveriesTable, "sequence"> & { readonly sequence: number };

export const toDelivery = (row: DeliveryRow): Delivery => ({
  sequence: row.sequence,
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  occurredAt: new Date(row.occurred_at),
  subscriptionId: row.subscription_id as SubscriptionId,
  round: row.round,
  attempts: row.attempts,
  delaysMs: JSON.parse(row.delays) as number[],
  fence: row.fence,
});
