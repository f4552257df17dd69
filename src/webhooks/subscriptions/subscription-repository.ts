import { sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, IntegrationId, SubscriptionId, TenantId } from "#runtime/basis/ids.ts";
import { batchOf } from "#runtime/database/batch.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { ConnectionState } from "../connections/connection.ts";
import type { SubscriptionsTable, WebhooksTables } from "../tables.ts";
import type { Subscription, SubscriptionState } from "./subscription.ts";

/** A secret as the store holds it. */
interface SealedSecret {
  readonly number: number;
  readonly sealed: Buffer;
}

/** What signing an attempt needs of its subscription. */
export interface Signer {
  readonly subscriptionId: SubscriptionId;
  readonly integrationId: IntegrationId;
  readonly label: string;
  readonly state: SubscriptionState;
  readonly connection: ConnectionState;
  /** Newest first; more than one while a secret is being rotated. */
  readonly secrets: readonly SealedSecret[];
}

export interface SubscriptionRepository {
  /** Oldest first; with a label only the one that has it. */
  list(label?: string): Promise<readonly Subscription[]>;
  /** As it is at that moment, inside a transaction or not. */
  find(within: Database<WebhooksTables>, subscriptionId: string): Promise<Subscription | undefined>;
  /**
   * Those of any of the instances, oldest first, inside the relay's transaction; their state is the one at that moment
   * (R-E14). `after` is the place of the last one that an earlier transaction met.
   */
  listByInstances(
    tx: Transaction<WebhooksTables>,
    instanceIds: readonly string[],
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly Subscription[]>;
  /** Those of the subscriptions that exist. Secrets that no longer sign at `now` are left out. */
  listSigners(
    within: Database<WebhooksTables>,
    subscriptionIds: readonly string[],
    now: Date,
  ): Promise<readonly Signer[]>;
  /** With its first secret. Breaks a unique constraint when the label is taken. */
  create(tx: Transaction<WebhooksTables>, subscription: Subscription, secret: SealedSecret): Promise<void>;
  /** Returns false when it was disabled already. */
  disable(tx: Transaction<WebhooksTables>, subscriptionId: SubscriptionId, reason: string): Promise<boolean>;
}

export const subscriptionRepository = (db: Database<WebhooksTables>): SubscriptionRepository => ({
  async list(label) {
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from webhooks_subscriptions ${JOIN_CONNECTION}
      ${label === undefined ? sql`` : sql`where label = ${label}`}
      order by created_at, webhooks_subscriptions.id`.execute(db);
    return rows.map(toSubscription);
  },
  async find(within, subscriptionId) {
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from webhooks_subscriptions ${JOIN_CONNECTION}
      where webhooks_subscriptions.id = ${subscriptionId}`.execute(within);
    return rows[0] && toSubscription(rows[0]);
  },
  async listByInstances(tx, instanceIds, { after, limit }) {
    const [only] = instanceIds;
    // One instance is read along its index, from a place on; several are few subscriptions.
    const among =
      instanceIds.length === 1
        ? sql`webhooks_subscriptions ${JOIN_CONNECTION} where instance_id = ${only} ${isBehind(after)}`
        : sql`${batchOf(
            tx,
            instanceIds.map((id) => ({ id })),
          )} join webhooks_subscriptions on instance_id = batch.value ->> 'id' ${JOIN_CONNECTION}`;
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from ${among}
      order by created_at, webhooks_subscriptions.id limit ${limit} + 0`.execute(tx);
    return rows.map(toSubscription);
  },
  async listSigners(within, subscriptionIds, now) {
    const { rows } = await sql<SignerRow>`
      select webhooks_subscriptions.id, integration_id, label, webhooks_subscriptions.state, ${CONNECTION} as connection,
        number, sealed
      from ${batchOf(
        within,
        subscriptionIds.map((id) => ({ id })),
      )}
      join webhooks_subscriptions on webhooks_subscriptions.id = batch.value ->> 'id' ${JOIN_CONNECTION}
      left join webhooks_signing_secrets on subscription_id = webhooks_subscriptions.id
        and (expires_at is null or expires_at > ${now.getTime()})
      order by webhooks_subscriptions.id, number desc`.execute(within);
    return [...Map.groupBy(rows, ({ id }) => id).values()].map(toSigner);
  },
  async create(tx, subscription, secret) {
    const createdAt = subscription.createdAt.getTime();
    await tx
      .insertInto("webhooks_subscriptions")
      .values({
        id: subscription.id,
        label: subscription.label,
        instance_integration_id: subscription.instanceIntegrationId,
        instance_id: subscription.instanceId,
        integration_id: subscription.integrationId,
        endpoint_url: subscription.endpointUrl,
        event_types: JSON.stringify(subscription.eventTypes),
        tenant_ids: JSON.stringify(subscription.tenantIds),
        state: subscription.state,
        state_reason: subscription.stateReason ?? null,
        created_at: createdAt,
        events_after: subscription.eventsAfter,
      })
      .execute();
    await tx
      .insertInto("webhooks_signing_secrets")
      .values({ subscription_id: subscription.id, ...secret, created_at: createdAt, expires_at: null })
      .execute();
  },
  async disable(tx, subscriptionId, reason) {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks_subscriptions")
      .set({ state: "disabled", state_reason: reason })
      .where("id", "=", subscriptionId)
      .where("state", "<>", "disabled")
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

/** A subscription's place among those of its instance, oldest first. */
export const placeOf = ({ createdAt, id }: Subscription): string => `${createdAt.getTime()}/${id}`;

function isBehind(place: string | undefined): ReturnType<typeof sql> {
  if (place === undefined) return sql``;
  const [createdAt, id] = place.split("/");
  return sql`and (created_at, webhooks_subscriptions.id) > (cast(${createdAt} as bigint), cast(${id} as text))`;
}

/** Only connections that were un-configured or revoked at some time have a row. */
const CONNECTION = sql`coalesce(webhooks_connections.state, 'configured')`;
const JOIN_CONNECTION = sql`
  left join webhooks_connections
    on webhooks_connections.instance_integration_id = webhooks_subscriptions.instance_integration_id`;

interface SubscriptionRow extends SubscriptionsTable {
  readonly connection: string;
}

interface SignerRow {
  readonly id: string;
  readonly integration_id: string;
  readonly label: string;
  readonly state: string;
  readonly connection: string;
  readonly number: number | null;
  readonly sealed: Buffer | null;
}

function toSigner(rows: readonly SignerRow[]): Signer {
  const [first] = rows;
  if (first === undefined) throw new Error("A signer has at least one row.");
  return {
    subscriptionId: first.id as SubscriptionId,
    integrationId: first.integration_id as IntegrationId,
    label: first.label,
    state: first.state as SubscriptionState,
    connection: first.connection as ConnectionState,
    secrets: rows.flatMap(({ number, sealed }) => (number === null || sealed === null ? [] : [{ number, sealed }])),
  };
}

const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id as SubscriptionId,
  label: row.label,
  instanceIntegrationId: row.instance_integration_id as InstanceIntegrationId,
  instanceId: row.instance_id as InstanceId,
  integrationId: row.integration_id as IntegrationId,
  endpointUrl: row.endpoint_url,
  eventTypes: JSON.parse(row.event_types) as string[],
  tenantIds: JSON.parse(row.tenant_ids) as TenantId[],
  state: row.state as SubscriptionState,
  stateReason: row.state_reason ?? undefined,
  connection: row.connection as ConnectionState,
  eventsAfter: row.events_after,
  createdAt: new Date(row.created_at),
});
