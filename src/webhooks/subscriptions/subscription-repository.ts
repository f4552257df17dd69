import { isIP } from "node:net";
import { sql } from "kysely";
import type { IntegrationId, SubscriptionId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { isOneOf, rowsOf } from "#runtime/database/rows.ts";
import type { ConnectionState } from "../connections/connection.ts";
import type { SealedSecret, SecretKind } from "../secrets/signing-secret.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DisabledBy } from "./state-reason.ts";
import type { Subscription, SubscriptionState } from "./subscription.ts";
import {
  CONNECTION,
  IS_KEPT,
  JOIN_CONNECTION,
  type SubscriptionRow,
  stateColumns,
  toState,
  toSubscription,
} from "./subscription-row.ts";

/** What signing an attempt needs of its subscription. */
export interface Signer {
  readonly subscriptionId: SubscriptionId;
  readonly integrationId: IntegrationId;
  readonly label: string;
  readonly state: SubscriptionState;
  readonly connection: ConnectionState;
  readonly endpointUrl: string;
  /** Shared ones first, as the contract of the header wants, then key pairs; newest first, and more than one while rotating. */
  readonly secrets: readonly SealedSecret[];
  /** The headers that deliveries have besides ours; `undefined` when there are none. */
  readonly sealedHeaders: Buffer | undefined;
  /** True when its last attempts took long. */
  readonly slow: boolean;
}

/** What a list of subscriptions is narrowed to. */
interface SubscriptionFilter {
  readonly label?: string | undefined;
  readonly integrationId?: string | undefined;
  /** The position of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface SubscriptionRepository {
  /** Oldest first, without deleted ones, as they are now; inside a transaction, as they are there. */
  list(filter?: SubscriptionFilter, within?: Database<WebhooksTables>): Promise<readonly Subscription[]>;
  /** True when the integration has so many. Of transactions that ask for one integration, one goes on at a time. */
  hasMany(tx: Transaction<WebhooksTables>, integrationId: string, most: number): Promise<boolean>;
  /** As it is now; inside a transaction, as it is there. */
  find(db: Database<WebhooksTables>, id: string): Promise<Subscription | undefined>;
  /**
   * The subscriptions of any of the instances, oldest first, inside the relay's transaction; their state is the one at that moment
   * (R-E14). `after` is the position of the last one that an earlier transaction met.
   */
  listByInstances(
    tx: Transaction<WebhooksTables>,
    instanceIds: readonly string[],
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly Subscription[]>;
  /** The subscriptions with these ids and their secrets, without secrets that no longer sign at `now`. */
  listSigners(
    within: Database<WebhooksTables>,
    subscriptionIds: readonly string[],
    now: Date,
  ): Promise<readonly Signer[]>;
  /** Without a secret yet. Breaks a unique constraint when the label is taken. */
  create(
    tx: Transaction<WebhooksTables>,
    subscription: Subscription,
    more: { readonly endpointByIntegration: boolean },
  ): Promise<void>;
  /**
   * Endpoints that may have a host, of subscriptions of other integrations that have no ping to acknowledge: all that have it,
   * however it is spelt there, and some others. The host is without brackets and without a full stop at its end.
   */
  listOthersAt(within: Database<WebhooksTables>, integrationId: string, host: string): Promise<readonly string[]>;
  /** Of transactions that ask for one address, one goes on at a time. */
  lockAddress(tx: Transaction<WebhooksTables>, address: string): Promise<void>;
  /**
   * Locks them in the order of their ids, before a transaction writes several of them or their runs of failures: so that
   * two of those never wait for each other. What changes one subscription locks it first, too.
   */
  lockInOrder(tx: Transaction<WebhooksTables>, subscriptionIds: readonly string[]): Promise<void>;
  /** Keeps whether their last attempts took long. */
  setSlow(tx: Transaction<WebhooksTables>, subscriptionIds: readonly string[], slow: boolean): Promise<void>;
  /**
   * Returns false when it was disabled already, or has another endpoint by now; with `failingSince` also when it is
   * not active, or the run of failures that began then has ended.
   */
  disable(
    tx: Transaction<WebhooksTables>,
    subscription: {
      readonly subscriptionId: SubscriptionId;
      readonly endpointUrl: string;
      readonly failingSince?: Date | undefined;
    },
    reason: DisabledBy,
    at: Date,
  ): Promise<boolean>;
}

export const subscriptionRepository = (db: Database<WebhooksTables>): SubscriptionRepository => ({
  async list({ label, integrationId, after, limit } = {}, within = db) {
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from webhooks_subscriptions ${JOIN_CONNECTION}
      where ${IS_KEPT} ${label === undefined ? sql`` : sql`and label = ${label}`}
        ${integrationId === undefined ? sql`` : sql`and integration_id = ${integrationId}`} ${isBehind(after)}
      order by created_at, webhooks_subscriptions.id
      ${limit === undefined ? sql`` : sql`limit ${limit} + 0`}`.execute(within);
    return rows.map(toSubscription);
  },
  async hasMany(tx, integrationId, most) {
    // What another transaction is about to insert has no row that could be locked.
    if (!isSqlite(tx))
      await sql`select pg_advisory_xact_lock(hashtext('webhooks_subscriptions'), hashtext(${integrationId}))`.execute(
        tx,
      );
    const { rows } = await sql`
      select id from webhooks_subscriptions where integration_id = ${integrationId} and ${IS_KEPT} limit 1 offset ${most - 1} + 0`.execute(
      tx,
    );
    return rows.length > 0;
  },
  async listOthersAt(within, integrationId, host) {
    const { rows } = await sql<{ endpoint_url: string }>`
      select distinct endpoint_url from webhooks_subscriptions
      where ${IS_KEPT} and integration_id <> ${integrationId} and awaits_ping = 0 and ${mayHave(host)}`.execute(within);
    return rows.map((row) => row.endpoint_url);
  },
  async lockAddress(tx, address) {
    if (!isSqlite(tx))
      await sql`select pg_advisory_xact_lock(hashtext('webhooks_endpoints'), hashtext(${address}))::text`.execute(tx);
  },
  async find(within, id) {
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from webhooks_subscriptions ${JOIN_CONNECTION}
      where webhooks_subscriptions.id = ${id} and ${IS_KEPT}`.execute(within);
    return rows.map(toSubscription)[0];
  },
  async listByInstances(tx, instanceIds, { after, limit }) {
    const [only] = instanceIds;
    // One instance is read along its index, from a position on; several are few subscriptions.
    const among =
      instanceIds.length === 1
        ? sql`webhooks_subscriptions ${JOIN_CONNECTION} where instance_id = ${only} ${isBehind(after)} and ${IS_KEPT}`
        : sql`${rowsOf(
            tx,
            instanceIds.map((id) => ({ id })),
          )} join webhooks_subscriptions on instance_id = given.value ->> 'id' ${JOIN_CONNECTION} where ${IS_KEPT}`;
    const { rows } = await sql<SubscriptionRow>`
      select webhooks_subscriptions.*, ${CONNECTION} as connection from ${among}
      order by created_at, webhooks_subscriptions.id limit ${limit} + 0`.execute(tx);
    return rows.map(toSubscription);
  },
  async listSigners(within, subscriptionIds, now) {
    const { rows } = await sql<SignerRow>`
      select webhooks_subscriptions.id, integration_id, label, webhooks_subscriptions.state, phase, ${CONNECTION} as connection,
        endpoint_url, extra_headers, slow, number, kind, sealed
      from ${rowsOf(
        within,
        subscriptionIds.map((id) => ({ id })),
      )}
      join webhooks_subscriptions on webhooks_subscriptions.id = given.value ->> 'id' and ${IS_KEPT} ${JOIN_CONNECTION}
      left join webhooks_signing_secrets on subscription_id = webhooks_subscriptions.id
        and (expires_at is null or expires_at > ${now.getTime()})
      order by webhooks_subscriptions.id, kind desc, number desc`.execute(within);
    return [...Map.groupBy(rows, ({ id }) => id).values()].map(toSigner);
  },
  async create(tx, subscription, { endpointByIntegration }) {
    const { state, stateReason, createdAt } = subscription;
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
        ...stateColumns(state, stateReason, createdAt),
        created_at: createdAt.getTime(),
        events_after: subscription.eventsAfter,
        awaits_ping: subscription.awaitsPing ? 1 : 0,
        description: subscription.description,
        extra_header_names: JSON.stringify(subscription.extraHeaderNames),
        extra_headers: subscription.sealedHeaders ?? null,
        secrets_made: 0,
        endpoint_by_integration: endpointByIntegration ? 1 : 0,
      })
      .execute();
  },
  async lockInOrder(tx, subscriptionIds) {
    if (subscriptionIds.length === 0 || isSqlite(tx)) return;
    // A reference to one of them, as programs from before migration 0006 write, need not wait.
    await sql`
      select id from webhooks_subscriptions where ${isOneOf(tx, "id", subscriptionIds)}
      order by id for no key update`.execute(tx);
  },
  async setSlow(tx, subscriptionIds, slow) {
    const state = slow ? 1 : 0;
    await sql`
      update webhooks_subscriptions set slow = ${state} where ${isOneOf(tx, "id", subscriptionIds)} and slow <> ${state}
    `.execute(tx);
  },
  async disable(tx, { subscriptionId, endpointUrl, failingSince }, reason, at) {
    let disabling = tx
      .updateTable("webhooks_subscriptions")
      .set({ ...stateColumns("disabled", reason, at), updated_at: at.getTime() })
      .where("id", "=", subscriptionId)
      .where("endpoint_url", "=", endpointUrl)
      .where("state", "<>", "disabled");
    // The state too: a pause that this has waited for on PostgreSQL has ended the run, which is still seen here.
    if (failingSince !== undefined)
      disabling = disabling
        .where("state", "=", "active")
        .where("id", "in", ({ selectFrom }) =>
          selectFrom("webhooks_failing_runs").select("subscription_id").where("since", "=", failingSince.getTime()),
        );
    const { numUpdatedRows } = await disabling.executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

/** A subscription's position among those of its instance, or of a list, oldest first. */
export const positionOf = ({ createdAt, id }: Pick<Subscription, "createdAt" | "id">): string =>
  `${createdAt.getTime()}/${id}`;

/** True for what `positionOf` gives. */
export const isPosition = (text: string): boolean => /^\d{1,15}\/[A-Za-z0-9_]{1,40}$/.test(text);

function isBehind(position: string | undefined): ReturnType<typeof sql> {
  if (position === undefined) return sql``;
  const [createdAt, id] = position.split("/");
  return sql`and (created_at, webhooks_subscriptions.id) > (cast(${createdAt} as bigint), cast(${id} as text))`;
}

/**
 * True for endpoints with the host in their text, and for those that may have it in another spelling: with an escape
 * somewhere, or, where the host is an address, as a number or with its zeros.
 */
function mayHave(host: string): ReturnType<typeof sql> {
  const ofAddresses = isIP(host) === 0 ? [] : [..."[0123456789"].map((sign) => `%://${sign}%`);
  const isLike = [`%${host}%`, ...ofAddresses].map((pattern) => sql`lower(endpoint_url) like ${pattern}`);
  return sql`(endpoint_url like '%!%%' escape '!' or ${sql.join(isLike, sql` or `)})`;
}

interface SignerRow
  extends Pick<SubscriptionRow, "id" | "integration_id" | "label" | "state" | "phase" | "connection" | "endpoint_url"> {
  readonly extra_headers: Buffer | null;
  readonly slow: number;
  readonly number: number | null;
  readonly kind: string | null;
  readonly sealed: Buffer | null;
}

function toSigner(rows: readonly SignerRow[]): Signer {
  const [first] = rows;
  if (first === undefined) throw new Error("A signer has at least one row.");
  return {
    subscriptionId: first.id as SubscriptionId,
    integrationId: first.integration_id as IntegrationId,
    label: first.label,
    state: toState(first),
    connection: first.connection as ConnectionState,
    endpointUrl: first.endpoint_url,
    secrets: rows.flatMap(({ number, kind, sealed }) =>
      number === null || sealed === null ? [] : [{ number, kind: kind as SecretKind, sealed }],
    ),
    slow: first.slow === 1,
    sealedHeaders: first.extra_headers ?? undefined,
  };
}
