import type { Selectable } from "kysely";
import type { DeliveryId, EventId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import type { QueueTable } from "../tables.ts";
import { attemptsOfText } from "./attempt.ts";
import type { ClaimedDelivery, Delivery } from "./delivery.ts";

/** A row of the queue as a query returns it. */
export type QueueRow = Selectable<QueueTable>;

/** One of a claim, with the body that goes with it. */
export interface ClaimedRow extends QueueRow {
  readonly body: Buffer | null;
}

/** The columns of which a delivery is made, also where it is not in the queue. */
type DeliveryRow = Omit<QueueRow, "due_at" | "lane" | "lease_until" | "claim" | "retry_at" | "hand_over_at" | "reason">;

export const toDelivery = (row: DeliveryRow): Delivery => ({
  sequence: row.sequence,
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  occurredAt: new Date(row.occurred_at),
  tenantId: (row.tenant_id ?? undefined) as TenantId | undefined,
  subscriptionId: row.subscription_id as SubscriptionId,
  round: row.round,
  attempts: row.attempts,
  delaysMs: JSON.parse(row.delays) as number[],
  createdAt: new Date(row.created_at),
  fence: row.fence,
  made: attemptsOfText(row.made),
  underWay:
    row.started_at === null ? undefined : { startedAt: new Date(row.started_at), endpointUrl: row.endpoint_url ?? "" },
});

export const toClaimedDelivery = (row: ClaimedRow): ClaimedDelivery => ({
  ...toDelivery(row),
  body: row.body ?? undefined,
  endpointOrigin: row.endpoint_origin,
});
