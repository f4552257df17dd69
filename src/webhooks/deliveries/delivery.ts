import type { DeliveryId, EventId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import type { Attempt, StartedAttempt } from "./attempt.ts";
import type { BlockedReason } from "./delivery-reason.ts";
import type { AttemptState } from "./outcome.ts";

/** R-E8. */
export type DeliveryState = "pending" | SettledState;

/** A delivery in one of these needs nothing more. */
export type SettledState = "delivered" | "exhausted" | "skipped" | "cancelled";

/** Channel of `wake` on which due deliveries, and freed places for them, are announced. */
export const DELIVERIES_CHANNEL = "webhook-deliveries";

/** Channel of `wake` on which new deliveries are announced to those who read them from the feed, due or not. */
export const FEED_CHANNEL = "webhook-feed";

/** Channel of `wake` on which deletions of subscriptions are announced to those who wait at the end of their feeds. */
export const FEED_ENDS_CHANNEL = "webhook-feed-ends";

/** Channel of `wake` on which deliveries that wait for a retry engine outside the store are announced. */
export const HAND_OVERS_CHANNEL = "webhook-hand-overs";

/** One event that is owed to one subscription, as the relay makes it. */
export interface NewDelivery {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly tenantId: TenantId | undefined;
  readonly subscriptionId: SubscriptionId;
  readonly endpointOrigin: string;
  readonly state: "pending" | "skipped" | "cancelled";
  readonly reason: BlockedReason | undefined;
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
  readonly tenantId: TenantId | undefined;
  readonly subscriptionId: SubscriptionId;
  readonly round: number;
  /** Attempts made in this round. */
  readonly attempts: number;
  readonly delaysMs: readonly number[];
  readonly createdAt: Date;
  readonly fence: number;
  /** The attempts that have ended, of all rounds. */
  readonly made: readonly Attempt[];
  readonly underWay: StartedAttempt | undefined;
  /** True when a run of failures of its subscription goes on; known where a reported outcome is recorded. */
  readonly isFailing?: boolean;
}

/** A delivery that was taken for an attempt, which is recorded by then. */
export interface ClaimedDelivery extends Delivery {
  /** What is sent; `undefined` when it was removed. */
  readonly body: Buffer | undefined;
  /** Of the endpoint as it was when the delivery was put into its lane. */
  readonly endpointOrigin: string;
}

/** An attempt of which is known how it ended, or that its outcome is lost. */
export interface EndedAttempt {
  /** As the attempt was claimed: `attempts` is the attempt's number, `fence` names its claim. */
  readonly delivery: Delivery;
  readonly outcome: Exclude<AttemptState, "in_flight">;
  readonly httpStatus?: number | undefined;
  readonly durationMs?: number | undefined;
  /** The Retry-After field as received. */
  readonly retryAfter?: string | undefined;
  /** The first bytes of the answer's body. */
  readonly responseExcerpt?: Uint8Array | undefined;
  /**
   * What the store says of its subscription. Absent where the outcome is lost, or its endpoint was replaced meanwhile: neither
   * says anything of the present pace.
   */
  readonly wasSlow?: boolean | undefined;
}

/** An attempt that ended, as it was recorded. */
export interface Ending extends EndedAttempt {
  /** True when its delivery has no attempt left. */
  readonly isExhausted: boolean;
}
