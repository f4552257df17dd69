import { sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { instantIn, rowsOf } from "#runtime/database/rows.ts";
import type { WebhooksTables } from "../tables.ts";
import type { FailingRun } from "./failing-run.ts";
import type { SubscriptionState } from "./subscription.ts";
import { toState } from "./subscription-row.ts";

/** What is decided on when deliveries of a subscription are exhausted. */
export interface ExhaustedSubscription {
  readonly subscriptionId: SubscriptionId;
  readonly instanceIntegrationId: InstanceIntegrationId;
  readonly instanceId: InstanceId;
  readonly label: string;
  readonly state: SubscriptionState;
  readonly endpointUrl: string;
  readonly createdAt: Date;
  /** `undefined` when none has begun. */
  readonly run: FailingRun | undefined;
  /** True when a subscription of the same instance integration is to get `delivery.exhausted`. */
  readonly wantsExhausted: boolean;
}

/** Which endpoint acknowledged something for a subscription. */
interface AcknowledgedBy {
  readonly subscriptionId: SubscriptionId;
  readonly endpointUrl: string;
}

/**
 * Runs of failures (R-E12): a row for each subscription that fails at present, written when its run begins and ends. What
 * writes one has its subscription locked.
 */
export interface FailingRunRepository {
  /** The subscriptions with these ids. */
  list(tx: Transaction<WebhooksTables>, ids: readonly SubscriptionId[]): Promise<readonly ExhaustedSubscription[]>;
  /**
   * With so many exhausted deliveries; adds them to a run that has begun by now. None begins of a subscription that has
   * been deleted since it was listed.
   */
  begin(
    tx: Transaction<WebhooksTables>,
    runs: readonly { readonly id: SubscriptionId; readonly exhausted: number }[],
    at: Date,
  ): Promise<void>;
  /** Adds exhausted deliveries to the run that began then; does nothing when it has ended. */
  add(
    tx: Transaction<WebhooksTables>,
    run: { readonly id: SubscriptionId; readonly since: Date },
    exhausted: number,
  ): Promise<void>;
  end(tx: Transaction<WebhooksTables>, ids: readonly SubscriptionId[]): Promise<void>;
  endAll(tx: Transaction<WebhooksTables>): Promise<void>;
  /** Ends the run of each subscription whose endpoint is still the one that has acknowledged. */
  recover(tx: Transaction<WebhooksTables>, acknowledged: readonly AcknowledgedBy[]): Promise<void>;
  /** Returns false when the run that began then has ended or is warned already. */
  warn(
    tx: Transaction<WebhooksTables>,
    run: { readonly id: SubscriptionId; readonly since: Date },
    at: Date,
  ): Promise<boolean>;
}

export const failingRunRepository: FailingRunRepository = {
  async list(tx, ids) {
    const { rows } = await sql<ExhaustedRow>`
      select one.id, one.instance_integration_id, one.instance_id, one.label, one.state, one.phase, one.endpoint_url, one.created_at,
        since, warned_at, exhausted, (
          select 1 from webhooks_subscriptions as other
          where other.instance_integration_id = one.instance_integration_id
            and replace(other.event_types, '"delivery.', '') <> other.event_types
          limit 1
        ) as wants_exhausted
      from ${rowsOf(
        tx,
        ids.map((id) => ({ id })),
      )}
      join webhooks_subscriptions as one on one.id = given.value ->> 'id' and deleted_at is null
      left join webhooks_failing_runs on subscription_id = one.id
      order by one.id`.execute(tx);
    return rows.map(toExhausted);
  },
  async begin(tx, runs, at) {
    // In their order, so that two changes at once never wait for each other. On PostgreSQL this waits for a deletion.
    await sql`
      insert into webhooks_failing_runs (subscription_id, since, exhausted)
      select id, ${at.getTime()}, cast(given.value ->> 'exhausted' as integer)
      from ${rowsOf(tx, runs)}
      join webhooks_subscriptions on id = given.value ->> 'id'
      where deleted_at is null order by id ${isSqlite(tx) ? sql`` : sql`for key share of webhooks_subscriptions`}
      on conflict (subscription_id) do update set exhausted = webhooks_failing_runs.exhausted + excluded.exhausted`.execute(
      tx,
    );
  },
  async add(tx, { id, since }, exhausted) {
    await tx
      .updateTable("webhooks_failing_runs")
      .set((row) => ({ exhausted: row("exhausted", "+", exhausted) }))
      .where("subscription_id", "=", id)
      .where("since", "=", since.getTime())
      .execute();
  },
  async end(tx, ids) {
    for (const id of ids.toSorted())
      await tx.deleteFrom("webhooks_failing_runs").where("subscription_id", "=", id).execute();
  },
  async endAll(tx) {
    await tx.deleteFrom("webhooks_failing_runs").execute();
  },
  async recover(tx, acknowledged) {
    for (const { subscriptionId, endpointUrl } of acknowledged.toSorted(byId))
      await sql`
        delete from webhooks_failing_runs where subscription_id in (
          select id from webhooks_subscriptions where id = ${subscriptionId} and endpoint_url = ${endpointUrl}
        )`.execute(tx);
  },
  async warn(tx, { id, since }, at) {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks_failing_runs")
      .set({ warned_at: at.getTime() })
      .where("subscription_id", "=", id)
      .where("since", "=", since.getTime())
      .where("warned_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
};

// In one order, so that two changes at once never wait for each other.
const byId = (one: AcknowledgedBy, other: AcknowledgedBy): number =>
  one.subscriptionId < other.subscriptionId ? -1 : Number(one.subscriptionId > other.subscriptionId);

interface ExhaustedRow {
  readonly id: string;
  readonly instance_integration_id: string;
  readonly instance_id: string;
  readonly label: string;
  readonly state: string;
  readonly phase: string | null;
  readonly endpoint_url: string;
  readonly created_at: number;
  readonly since: number | null;
  readonly warned_at: number | null;
  readonly exhausted: number | null;
  readonly wants_exhausted: number | null;
}

const toExhausted = (row: ExhaustedRow): ExhaustedSubscription => ({
  subscriptionId: row.id as SubscriptionId,
  instanceIntegrationId: row.instance_integration_id as InstanceIntegrationId,
  instanceId: row.instance_id as InstanceId,
  label: row.label,
  state: toState(row),
  endpointUrl: row.endpoint_url,
  createdAt: new Date(row.created_at),
  run:
    row.since === null
      ? undefined
      : {
          since: new Date(row.since),
          warnedAt: instantIn(row.warned_at),
          exhausted: row.exhausted ?? 0,
        },
  wantsExhausted: row.wants_exhausted !== null,
});
