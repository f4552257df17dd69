import { sql } from "kysely";
import type { DeliveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import { originOf, type Subscription, type SubscriptionState } from "./subscription.ts";
import {
  CONNECTION,
  IS_KEPT,
  JOIN_CONNECTION,
  type SubscriptionRow,
  stateColumns,
  toSubscription,
} from "./subscription-row.ts";

/** A subscription that is locked for a change, with what only changes need of it. */
export interface LockedSubscription extends Subscription {
  readonly lastPing: DeliveryId | undefined;
  /** True when an integration chose the endpoint, which may then be no other integration's (R-X278). */
  readonly endpointByIntegration: boolean;
}

/** The fields of a subscription that an update may change. */
type SubscriptionFields = Pick<
  LockedSubscription,
  | ("endpointUrl" | "eventTypes" | "tenantIds" | "description" | "extraHeaderNames" | "sealedHeaders" | "awaitsPing")
  | "endpointByIntegration"
>;

export interface SubscriptionChangeRepository {
  /** The subscription, locked for this transaction; deleted ones are not found. */
  lock(tx: Transaction<WebhooksTables>, id: string): Promise<LockedSubscription | undefined>;
  replaceFields(
    tx: Transaction<WebhooksTables>,
    id: SubscriptionId,
    fields: SubscriptionFields,
    at: Date,
  ): Promise<void>;
  /** A run of failures ends with the state in which it happened. */
  replaceState(tx: Transaction<WebhooksTables>, id: SubscriptionId, state: SubscriptionState, at: Date): Promise<void>;
  replaceLastPing(tx: Transaction<WebhooksTables>, id: SubscriptionId, deliveryId: DeliveryId): Promise<void>;
  /**
   * The endpoint acknowledged a ping: when it is still the subscription's and was waited for, it is no longer; one that
   * was pending is active. Returns false when nothing was waited for.
   */
  confirmEndpoint(tx: Transaction<WebhooksTables>, id: SubscriptionId, endpointUrl: string, at: Date): Promise<boolean>;
  /** Ends it: no event matches it any more, its secrets are gone, its label is free. What lists show of it remains. */
  end(tx: Transaction<WebhooksTables>, subscription: Subscription, at: Date): Promise<void>;
}

export const subscriptionChangeRepository: SubscriptionChangeRepository = {
  async lock(tx, id) {
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from webhooks_subscriptions ${JOIN_CONNECTION}
      where webhooks_subscriptions.id = ${id} and ${IS_KEPT}
      ${isSqlite(tx) ? sql`` : sql`for update of webhooks_subscriptions`}`.execute(tx);
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      ...toSubscription(row),
      lastPing: (row.last_ping ?? undefined) as DeliveryId | undefined,
      endpointByIntegration: row.endpoint_by_integration === 1,
    };
  },
  async replaceFields(tx, id, fields, at) {
    // Another endpoint has neither failed yet nor been slow.
    await sql`
      delete from webhooks_failing_runs where subscription_id in (
        select id from webhooks_subscriptions where id = ${id} and endpoint_url <> ${fields.endpointUrl}
      )`.execute(tx);
    await tx
      .updateTable("webhooks_subscriptions")
      .set({
        endpoint_url: fields.endpointUrl,
        event_types: JSON.stringify(fields.eventTypes),
        tenant_ids: JSON.stringify(fields.tenantIds),
        description: fields.description,
        extra_header_names: JSON.stringify(fields.extraHeaderNames),
        extra_headers: fields.sealedHeaders ?? null,
        awaits_ping: fields.awaitsPing ? 1 : 0,
        endpoint_by_integration: fields.endpointByIntegration ? 1 : 0,
        slow: sql<number>`case when endpoint_url = ${fields.endpointUrl} then slow else 0 end`,
        // A ping that is under way to an earlier endpoint says nothing of this one.
        last_ping: sql<string | null>`case when endpoint_url = ${fields.endpointUrl} then last_ping end`,
        updated_at: at.getTime(),
      })
      .where("id", "=", id)
      .execute();
  },
  async replaceState(tx, id, state, at) {
    await endFailingRun(tx, id);
    await tx
      .updateTable("webhooks_subscriptions")
      .set({ ...stateColumns(state, undefined, at), updated_at: at.getTime() })
      .where("id", "=", id)
      .execute();
  },
  async replaceLastPing(tx, id, deliveryId) {
    await tx.updateTable("webhooks_subscriptions").set({ last_ping: deliveryId }).where("id", "=", id).execute();
  },
  async confirmEndpoint(tx, id, endpointUrl, at) {
    const { numAffectedRows } = await sql`
      update webhooks_subscriptions set awaits_ping = 0, phase = null,
        state = case when phase = 'pending' then 'active' else state end,
        state_since = case when phase = 'pending' then ${at.getTime()} else state_since end,
        updated_at = case when phase = 'pending' then ${at.getTime()} else updated_at end
      where id = ${id} and endpoint_url = ${endpointUrl} and awaits_ping = 1 and deleted_at is null`.execute(tx);
    return numAffectedRows === 1n;
  },
  async end(tx, subscription, at) {
    const { id, label } = subscription;
    await endFailingRun(tx, id);
    await tx.deleteFrom("webhooks_signing_secrets").where("subscription_id", "=", id).execute();
    await tx
      .updateTable("webhooks_subscriptions")
      .set({
        ...stateColumns("disabled", undefined, at),
        phase: "deleted",
        deleted_at: at.getTime(),
        label: id,
        former_label: label,
        // Its path and query may be secret; an earlier program wants a URL here.
        endpoint_url: originOf(subscription),
        event_types: "[]",
        description: "",
        extra_header_names: "[]",
        extra_headers: null,
        last_ping: null,
      })
      .where("id", "=", id)
      .execute();
  },
};

const endFailingRun = (tx: Transaction<WebhooksTables>, id: SubscriptionId) =>
  tx.deleteFrom("webhooks_failing_runs").where("subscription_id", "=", id).execute();
