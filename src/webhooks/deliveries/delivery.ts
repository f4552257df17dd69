import type { DeliveryId, EventId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";

/** R-E8. */
export type DeliveryState = "pending" | "delivered" | "exhausted" | "skipped" | "cancelled";

/** Channel of `wake` on which due deliveries, and freed places for them, are announced. */
export const DELIVERIES_CHANNEL = "webhook-deliveries";

/** Channel of `wake` on which deliveries that wait for a retry engine outside the store are announced. */
export const HAND_OVERS_CHANNEL = "webhook-hand-overs";

/** The obligation to tell one subscription of one event, as the relay makes it. */
export interface NewDelivery {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly tenantId: TenantId | undefined;
  readonly subscriptionId: SubscriptionId;
  readonly endpointOrigin: string;
  readonly state: DeliveryState;
  readonly reason: string | undefined;
  /** The plan of this round, fixed here (R-E6). */
  readonly delaysMs: readonly number[];
  readonly createdAt: Date;
  readonly dueAt: Date | undefined;
  /** Its UTF-8 bytes are what is sent. */
  readonly body: string;
}

/** What outcomes are decided on. */
export interface Delivery {
  readonly sequence: number;
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly subscriptionId: SubscriptionId;
  readonly round: number;
  /** Attempts made in this round. */
  readonly attempts: number;
  readonly delaysMs: readonly number[];
  readonly fence: number;
}
