import { sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { isOneOf, rowsOf } from "#runtime/database/rows.ts";
import type { WebhooksTables } from "../tables.ts";
import { COUNTED_MAX, type FailingRun } from "./failing-run.ts";
import { PING } from "./ping.ts";
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

/** Runs of failures (R-E12): a row for each subscription that fails at present, written when its run begins and ends. */
export interface FailingRunRepository {
  /** The subscriptions with these ids. */
  list(tx: Transaction<WebhooksTables>, ids: readonly SubscriptionId[]): Promise<readonly ExhaustedSubscription[]>;
  /** Leaves a run that has begun as it is. None begins of a subscription that has been deleted since it was listed. */
  begin(tx: Transaction<WebhooksTables>, ids: readonly SubscriptionId[], at: Date): Promise<void>;
  end(tx: Transaction<WebhooksTables>, ids: readonly SubscriptionId[]): Promise<void>;
  /** Ends the run of each subscription whose endpoint is still the one that has acknowledged. */
  recover(tx: Transaction<WebhooksTables>, acknowledged: readonly AcknowledgedBy[]): Promise<void>;
  /** Returns false when the run that began then has ended or is warned already. */
  warn(
    tx: Transaction<WebhooksTables>,
    run: { readonly id: SubscriptionId; readonly since: Date },
    at: Date,
  ): Promise<boolean>;
  /**
   * How many deliveries were exhausted by their endpoint since an instant: as far as they are among the newest hundred,
   * and no more than decide something. A ping is none: who mends an endpoint pings it often.
   */
  countExhausted(tx: Transaction<WebhooksTables>, id: SubscriptionId, since: Date): Promise<number>;
}

const NEWEST = 100;

export const failingRunRepository: FailingRunRepository = {
  async list(tx, ids) {
    const { rows } = await sql<ExhaustedRow>`
      select one.id, one.instance_integration_id, one.instance_id, one.label, one.state, one.phase, one.endpoint_url, one.created_at,
        since, warned_at, (
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
  async begin(tx, ids, at) {
    // In their order, so that two changes at once never wait for each other. On PostgreSQL this waits for a deletion.
    await sql`
      insert into webhooks_failing_runs (subscription_id, since)
      select id, ${at.getTime()} from webhooks_subscriptions
      where ${isOneOf(tx, "id", ids)} and deleted_at is null order by id ${isSqlite(tx) ? sql`` : sql`for key share`}
      on conflict do nothing`.execute(tx);
  },
  async end(tx, ids) {
    for (const id of ids.toSorted())
      await tx.deleteFrom("webhooks_failing_runs").where("subscription_id", "=", id).execute();
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
  async countExhausted(tx, id, since) {
    const { rows } = await sql<{ readonly exhausted: number }>`
      select count(*) as exhausted from (
        select reason, settled_at from webhooks_settled
        where subscription_id = ${id} and state = 'exhausted' and event_type <> ${PING}
        order by sequence desc limit ${NEWEST} + 0
      ) as newest where settled_at >= ${since.getTime()} and reason <> 'lost'`.execute(tx);
    return Math.min(COUNTED_MAX, Number(rows[0]?.exhausted ?? 0));
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
      : { since: new Date(row.since), warnedAt: row.warned_at === null ? undefined : new Date(row.warned_at) },
  wantsExhausted: row.wants_exhausted !== null,
});
