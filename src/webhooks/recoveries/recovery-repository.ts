import { type Selectable, sql } from "kysely";
import { HOUR_MS } from "#runtime/basis/durations.ts";
import type { IntegrationId, RecoveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, locked, skipLocked, type Transaction } from "#runtime/database/database.ts";
import { instantIn } from "#runtime/database/rows.ts";
import type { RecoveriesTable, WebhooksTables } from "../tables.ts";
import { hasEnded, type RecoverableState, type Recovery, type RecoveryState, type RecoveryStep } from "./recovery.ts";
import type { RecoveryReason } from "./recovery-reason.ts";

export interface RecoveryListFilter {
  /** Only those of this integration. */
  readonly integrationId: string | undefined;
  readonly subscriptionId: string | undefined;
  /** Empty: all. */
  readonly states: readonly RecoveryState[];
  /** Only older ones than this sequence. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** A recovery that is to be made. */
export type NewRecovery = Omit<Recovery, "sequence">;

export interface RecoveryRepository {
  /** Newest first. */
  list(filter: RecoveryListFilter): Promise<readonly Recovery[]>;
  find(id: string): Promise<Recovery | undefined>;
  /** Makes none, and returns false, when the subscription has an unfinished one. */
  create(tx: Transaction<WebhooksTables>, recovery: NewRecovery): Promise<boolean>;
  /** Locked until the transaction ends. */
  lock(tx: Transaction<WebhooksTables>, id: string): Promise<Recovery | undefined>;
  /**
   * Locked; `undefined` also while another transaction has it. Of transactions that take one, one goes on at a time: so the
   * places that they count are those that are left.
   */
  take(tx: Transaction<WebhooksTables>, id: string): Promise<Recovery | undefined>;
  /** Writes what a step has changed; an end gets the instant. */
  update(tx: Transaction<WebhooksTables>, recovery: Recovery, step: Partial<RecoveryStep>, at: Date): Promise<void>;
  /**
   * Recoveries that run, have an attempt under way (cancelled ones too), or are paused and can never go on, behind
   * `after`, in the order of their sequences.
   */
  listActive(after: number, limit: number): Promise<readonly Pick<Recovery, "sequence" | "id">[]>;
  /** The ones of `listActive` that have ended. */
  listEnding(after: number, limit: number): Promise<readonly Pick<Recovery, "sequence" | "id">[]>;
  /** Whether there is a recovery to offer to an engine outside the store at `now`. Without a lock. */
  hasOffer(now: Date): Promise<boolean>;
  /**
   * Recoveries that no engine outside the store has at `now`, of paused ones those that none has had for an hour; the caller has
   * them until `until`.
   */
  offer(
    tx: Transaction<WebhooksTables>,
    now: Date,
    options: { readonly limit: number; readonly until: Date },
  ): Promise<readonly Recovery[]>;
  /** An engine outside the store has it until then. */
  keep(within: Database<WebhooksTables>, sequence: number, until: Date): Promise<void>;
  /** Pauses all that run; returns how many. */
  pauseAll(tx: Transaction<WebhooksTables>, reason: RecoveryReason): Promise<number>;
}

export const recoveryRepository = (db: Database<WebhooksTables>): RecoveryRepository => ({
  async list({ integrationId, subscriptionId, states, before, limit }) {
    let query = db.selectFrom("webhooks_recoveries").selectAll().orderBy("sequence", "desc").limit(limit);
    if (integrationId !== undefined) query = query.where("integration_id", "=", integrationId);
    if (subscriptionId !== undefined) query = query.where("subscription_id", "=", subscriptionId);
    if (states.length > 0) query = query.where("state", "in", states);
    if (before !== undefined) query = query.where("sequence", "<", before);
    return (await query.execute()).map(toRecovery);
  },
  async find(id) {
    const row = await db.selectFrom("webhooks_recoveries").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toRecovery(row);
  },
  async create(tx, recovery) {
    const made = await tx
      .insertInto("webhooks_recoveries")
      .values({
        ...stepColumns(recovery),
        id: recovery.id,
        subscription_id: recovery.subscriptionId,
        subscription_label: recovery.subscriptionLabel,
        integration_id: recovery.integrationId,
        state: recovery.state,
        reason: recovery.reason ?? null,
        from_at: recovery.from.getTime(),
        to_at: recovery.to.getTime(),
        states: JSON.stringify(recovery.states),
        event_types: JSON.stringify(recovery.eventTypes),
        tenant_ids: JSON.stringify(recovery.tenantIds),
        created_at: recovery.createdAt.getTime(),
        ended_at: recovery.endedAt?.getTime() ?? null,
        driven_until: 0,
      })
      .onConflict((conflict) => conflict.column("subscription_id").where("ended_at", "is", null).doNothing())
      .executeTakeFirst();
    return made.numInsertedOrUpdatedRows === 1n;
  },
  async lock(tx, id) {
    const query = tx.selectFrom("webhooks_recoveries").selectAll().where("id", "=", id);
    const row = await locked(tx, query).executeTakeFirst();
    return row && toRecovery(row);
  },
  async take(tx, id) {
    const { rows } = await (isSqlite(tx)
      ? sql<Selectable<RecoveriesTable>>`select * from webhooks_recoveries where id = ${id}`
      : sql<Selectable<RecoveriesTable>>`
          select webhooks_recoveries.*, taking.turn from webhooks_recoveries
          cross join (select pg_advisory_xact_lock(hashtext('webhooks_recoveries'), 0)::text as turn) as taking
          where id = ${id} for update of webhooks_recoveries skip locked`
    ).execute(tx);
    return rows[0] && toRecovery(rows[0]);
  },
  async update(tx, recovery, step, at) {
    const next = { ...recovery, ...step };
    await tx
      .updateTable("webhooks_recoveries")
      .set({
        ...stepColumns(next),
        state: next.state,
        reason: next.reason ?? null,
        ended_at: hasEnded(next) ? (recovery.endedAt ?? at).getTime() : null,
        // What is resumed is offered at once; what is paused when its engine has been silent for long.
        ...(next.state === recovery.state ? {} : { driven_until: next.state === "paused" ? at.getTime() : 0 }),
      })
      .where("sequence", "=", recovery.sequence)
      .execute();
    // Nothing is sent once more; what is under way is counted when it has ended.
    if (hasEnded(next))
      await tx
        .deleteFrom("webhooks_recovery_deliveries")
        .where("recovery", "=", recovery.sequence)
        .where("round", "is", null)
        .execute();
  },
  async listActive(after, limit) {
    const running = db
      .selectFrom("webhooks_recoveries")
      .select("sequence")
      .where("ended_at", "is", null)
      .where("state", "=", "running");
    const rows = await behind(db, after, limit)
      .where("sequence", "in", running.union(withUnderWay(db)).union(pausedForGood(db)))
      .execute();
    return rows.map(named);
  },
  async listEnding(after, limit) {
    const rows = await behind(db, after, limit)
      .where("ended_at", "is not", null)
      .where("sequence", "in", withUnderWay(db))
      .execute();
    return rows.map(named);
  },
  async hasOffer(now) {
    const due = offerable(db, now).select("sequence").limit(1);
    return (await due.executeTakeFirst()) !== undefined;
  },
  async offer(tx, now, { limit, until }) {
    const due = offerable(tx, now).selectAll().orderBy("sequence").limit(limit);
    const rows = await skipLocked(tx, due).execute();
    if (rows.length === 0) return [];
    const sequences = rows.map(({ sequence }) => sequence);
    await tx
      .updateTable("webhooks_recoveries")
      .set({ driven_until: until.getTime() })
      .where("sequence", "in", sequences)
      .execute();
    return rows.map(toRecovery);
  },
  async keep(within, sequence, until) {
    await within
      .updateTable("webhooks_recoveries")
      .set({ driven_until: until.getTime() })
      .where("sequence", "=", sequence)
      .execute();
  },
  async pauseAll(tx, reason) {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks_recoveries")
      .set({ state: "paused", reason, driven_until: 0 })
      .where("ended_at", "is", null)
      .where("state", "=", "running")
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },
});

/** A paused one has nothing to do, and is offered for its workflow alone, which looks at it as seldom: one may be lost. */
const PAUSED_SILENCE_MS = HOUR_MS;

/** What no engine outside the store has at `now`. Found by the index of unfinished ones. */
const offerable = (db: Database<WebhooksTables>, now: Date) =>
  db
    .selectFrom("webhooks_recoveries")
    .where("ended_at", "is", null)
    .where("driven_until", "<=", now.getTime())
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("state", "=", "running"),
        eb("driven_until", "<=", now.getTime() - PAUSED_SILENCE_MS),
        exists(
          selectFrom("webhooks_recovery_deliveries")
            .select("delivery")
            .whereRef("recovery", "=", "webhooks_recoveries.sequence")
            .where("round", "is not", null),
        ),
        eb("sequence", "in", pausedForGood(db)),
      ]),
    );

/**
 * Paused ones whose subscription is deleted, or has a revoked instance integration: their next step cancels them (R-X284).
 * A few, found by the index of unfinished ones.
 */
const pausedForGood = (db: Database<WebhooksTables>) =>
  db
    .selectFrom("webhooks_recoveries as paused")
    .select("paused.sequence")
    .where("paused.ended_at", "is", null)
    .where("paused.state", "=", "paused")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhooks_subscriptions as subscription")
            .leftJoin("webhooks_connections as connection", (join) =>
              join
                .onRef("connection.instance_integration_id", "=", "subscription.instance_integration_id")
                .on("connection.state", "=", "revoked"),
            )
            .select("subscription.id")
            .whereRef("subscription.id", "=", "paused.subscription_id")
            .where("subscription.deleted_at", "is", null)
            .where("connection.state", "is", null),
        ),
      ),
    );

const behind = (db: Database<WebhooksTables>, after: number, limit: number) =>
  db
    .selectFrom("webhooks_recoveries")
    .select(["sequence", "id"])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit);

/** A few rows for each. */
const withUnderWay = (db: Database<WebhooksTables>) =>
  db.selectFrom("webhooks_recovery_deliveries").select("recovery as sequence").where("round", "is not", null);

const named = ({ sequence, id }: Pick<Selectable<RecoveriesTable>, "sequence" | "id">) => ({
  sequence,
  id: id as RecoveryId,
});

const stepColumns = (step: Omit<RecoveryStep, "state" | "reason">) => ({
  counted_to: step.countedTo,
  is_counted: step.isCounted ? 1 : 0,
  sent_to: step.sentTo,
  is_all_found: step.isAllFound ? 1 : 0,
  matched: step.matched,
  sent: step.sent,
  acknowledged: step.acknowledged,
  failed: step.failed,
  body_removed: step.bodyRemoved,
  failed_in_row: step.failedInRow,
});

const toRecovery = (row: Selectable<RecoveriesTable>): Recovery => ({
  sequence: row.sequence,
  id: row.id as RecoveryId,
  subscriptionId: row.subscription_id as SubscriptionId,
  subscriptionLabel: row.subscription_label,
  integrationId: row.integration_id as IntegrationId,
  state: row.state as RecoveryState,
  reason: (row.reason ?? undefined) as RecoveryReason | undefined,
  from: new Date(row.from_at),
  to: new Date(row.to_at),
  states: JSON.parse(row.states) as RecoverableState[],
  eventTypes: JSON.parse(row.event_types) as string[],
  tenantIds: JSON.parse(row.tenant_ids) as string[],
  createdAt: new Date(row.created_at),
  endedAt: instantIn(row.ended_at),
  countedTo: row.counted_to,
  isCounted: row.is_counted === 1,
  sentTo: row.sent_to,
  isAllFound: row.is_all_found === 1,
  matched: row.matched,
  sent: row.sent,
  acknowledged: row.acknowledged,
  failed: row.failed,
  bodyRemoved: row.body_removed,
  failedInRow: row.failed_in_row,
});
