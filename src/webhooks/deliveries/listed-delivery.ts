import type { DeliveryId, EventId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import { type Attempt, attemptsOfText, originAlone } from "./attempt.ts";
import type { DeliveryState } from "./delivery.ts";
import type { DeliveryReason } from "./delivery-reason.ts";

/** A delivery as operators see it. */
export interface ListedDelivery {
  readonly sequence: number;
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly tenantId: TenantId | undefined;
  readonly subscriptionId: SubscriptionId;
  readonly subscriptionLabel: string;
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | undefined;
  readonly createdAt: Date;
  readonly dueAt: Date | undefined;
  /** The one under way included. Of a deleted subscription, their endpoints are origins alone (R-X277). */
  readonly attempts: readonly Attempt[];
  /** True when the body was older than bodies are kept. */
  readonly bodyRemoved: boolean;
}

/** Its row in whichever table it is, with what a list reads beside it. */
export interface ListedRow {
  readonly sequence: number;
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly tenant_id: string | null;
  readonly subscription_id: string;
  readonly round: number;
  readonly attempts: number;
  readonly created_at: number;
  readonly state: string;
  readonly reason: string | null;
  readonly due_at: number | null;
  /** Null where the attempts are rows of their own. */
  readonly made: string | null;
  readonly started_at: number | null;
  readonly endpoint_url: string | null;
  readonly label: string;
  /** Of the subscription. */
  readonly is_deleted: number;
  readonly body_removed: number;
}

/** @param former the attempts of a row from before attempts were kept in it. */
export const toListed = (row: ListedRow, former: readonly Attempt[]): ListedDelivery => ({
  sequence: row.sequence,
  id: row.id as DeliveryId,
  eventId: row.event_id as EventId,
  eventType: row.event_type,
  tenantId: (row.tenant_id ?? undefined) as TenantId | undefined,
  subscriptionId: row.subscription_id as SubscriptionId,
  subscriptionLabel: row.label,
  state: row.state as DeliveryState,
  reason: (row.reason ?? undefined) as DeliveryReason | undefined,
  createdAt: new Date(row.created_at),
  dueAt: row.due_at === null ? undefined : new Date(row.due_at),
  attempts: shownAttempts(row, row.made === null ? former : [...attemptsOfText(row.made), ...underWayOf(row)]),
  bodyRemoved: row.body_removed === 1,
});

const shownAttempts = ({ is_deleted }: ListedRow, attempts: readonly Attempt[]): readonly Attempt[] =>
  is_deleted === 0
    ? attempts
    : attempts.map((attempt) => ({ ...attempt, endpointUrl: originAlone(attempt.endpointUrl) }));

const underWayOf = ({ started_at, endpoint_url, round, attempts }: ListedRow): readonly Attempt[] =>
  started_at === null
    ? []
    : [
        {
          round,
          number: attempts,
          startedAt: new Date(started_at),
          finishedAt: undefined,
          outcome: "in_flight",
          httpStatus: undefined,
          durationMs: undefined,
          retryAfter: undefined,
          endpointUrl: endpoint_url ?? "",
          responseExcerpt: undefined,
        },
      ];
