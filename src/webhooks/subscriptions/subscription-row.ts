import { sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, IntegrationId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import type { ConnectionState } from "../connections/connection.ts";
import type { SubscriptionsTable } from "../tables.ts";
import type { DisabledBy } from "./state-reason.ts";
import type { Subscription, SubscriptionState } from "./subscription.ts";

/** Only connections that were un-configured or revoked at some time have a row. */
export const CONNECTION = sql`coalesce(webhooks_connections.state, 'configured')`;

export const JOIN_CONNECTION = sql`
  left join webhooks_connections
    on webhooks_connections.instance_integration_id = webhooks_subscriptions.instance_integration_id`;

/** True for a subscription that is not deleted. */
export const IS_KEPT = sql`webhooks_subscriptions.deleted_at is null`;

/** A row of the table as a statement reads it, with its connection's state. */
export type SubscriptionRow = {
  readonly [Column in keyof SubscriptionsTable]: SubscriptionsTable[Column] extends { readonly __select__: infer Read }
    ? Read
    : SubscriptionsTable[Column];
} & { readonly connection: string };

/** A state as the columns that hold it (migration 0007). */
export function stateColumns(
  state: SubscriptionState,
  reason: DisabledBy | undefined,
  at: Date,
): Pick<SubscriptionRow, "state" | "phase" | "state_reason" | "state_since"> {
  const stored = state === "pending" ? { state: "paused", phase: "pending" } : { state, phase: null };
  return { ...stored, state_reason: reason ?? null, state_since: at.getTime() };
}

/** The state that the columns hold. */
export const toState = ({ state, phase }: Pick<SubscriptionRow, "state" | "phase">): SubscriptionState =>
  (phase ?? state) as SubscriptionState;

export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id as SubscriptionId,
  label: row.label,
  instanceIntegrationId: row.instance_integration_id as InstanceIntegrationId,
  instanceId: row.instance_id as InstanceId,
  integrationId: row.integration_id as IntegrationId,
  endpointUrl: row.endpoint_url,
  eventTypes: JSON.parse(row.event_types) as string[],
  tenantIds: JSON.parse(row.tenant_ids) as TenantId[],
  state: toState(row),
  stateReason: (row.state_reason ?? undefined) as DisabledBy | undefined,
  stateSince: new Date(row.state_since ?? row.created_at),
  awaitsPing: row.awaits_ping === 1,
  description: row.description,
  extraHeaderNames: JSON.parse(row.extra_header_names) as string[],
  sealedHeaders: row.extra_headers ?? undefined,
  secretsMade: row.secrets_made,
  connection: row.connection as ConnectionState,
  eventsAfter: row.events_after,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at ?? row.created_at),
});
