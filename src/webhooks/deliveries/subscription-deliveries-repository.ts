import { sql } from "kysely";
import type { DeliveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import { skipLocked, type Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import { type DeliveryReason, PULL_ONLY } from "./delivery-reason.ts";
import type { DeliveryMoves } from "./moves.ts";

/** At most so many of each state are looked at, and so many are counted. */
const COUNTED_MAX = 1_000;
/** Settled in about the order of their making: the last to be settled is among these. */
const NEWEST = 100;

/** What a subscription has not got. */
interface Missed {
  /** Of the last thousand; so many also stand for more. */
  readonly count: number;
  /** True when there may be more, and earlier ones. */
  readonly isMore: boolean;
  /** When the earliest that is counted was made; `undefined` when there is none. */
  readonly from: Date | undefined;
}

/** What the life of a subscription asks about its deliveries. */
export interface SubscriptionDeliveriesRepository {
  /** The deliveries that were skipped or exhausted at `since` or later and made at `madeSince` or later, but for one type. */
  findMissed(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    wanted: { readonly since: Date; readonly madeSince: Date; readonly besides: string },
  ): Promise<Missed>;
  /** When one was last acknowledged, but for one type, as far as it is among the newest hundred that were. */
  findLastAcknowledged(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    wanted: { readonly besides: string },
  ): Promise<Date | undefined>;
  /** True while the delivery waits for its attempt or is under way. */
  isUnderWay(tx: Transaction<WebhooksTables>, deliveryId: string): Promise<boolean>;
  /** Cancels pending ones of which no attempt is under way; returns how many. */
  cancelWaiting(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    wanted: { readonly reason: DeliveryReason; readonly limit: number },
    at: Date,
  ): Promise<number>;
}

export const subscriptionDeliveriesRepository = ({
  settleRows,
}: Pick<DeliveryMoves, "settleRows">): SubscriptionDeliveriesRepository => ({
  async findMissed(tx, subscriptionId, { since, madeSince, besides }) {
    // What was there to be read from the feed was not missed.
    const latest = (state: "skipped" | "exhausted") => sql`
      select * from (
        select created_at, settled_at from webhooks_settled
        where subscription_id = ${subscriptionId} and state = ${state} and event_type <> ${besides}
          and coalesce(reason, '') <> ${PULL_ONLY}
        order by sequence desc limit ${COUNTED_MAX} + 0
      ) as ${sql.ref(state)}`;
    const { rows } = await sql<{ readonly missed: number; readonly created_at: number | null }>`
      select count(*) as missed, min(created_at) as created_at
      from (${latest("skipped")} union all ${latest("exhausted")}) as latest
      where settled_at >= ${since.getTime()} and created_at >= ${madeSince.getTime()}`.execute(tx);
    const [row] = rows;
    const from = row?.created_at ?? undefined;
    const missed = Number(row?.missed ?? 0);
    return {
      count: Math.min(COUNTED_MAX, missed),
      isMore: missed >= COUNTED_MAX,
      from: from === undefined ? undefined : new Date(from),
    };
  },
  async findLastAcknowledged(tx, subscriptionId, { besides }) {
    const { rows } = await sql<{ readonly settled_at: number | null }>`
      select max(settled_at) as settled_at from (
        select settled_at from webhooks_settled
        where subscription_id = ${subscriptionId} and state = 'delivered' and event_type <> ${besides}
        order by sequence desc limit ${NEWEST} + 0
      ) as newest`.execute(tx);
    const settledAt = rows[0]?.settled_at ?? undefined;
    return settledAt === undefined ? undefined : new Date(settledAt);
  },
  async isUnderWay(tx, deliveryId) {
    const row = await tx
      .selectFrom("webhooks_queue")
      .select("sequence")
      .where("id", "=", deliveryId as DeliveryId)
      // One that a restored store suspends waits for an operator.
      .where("reason", "is", null)
      .executeTakeFirst();
    return row !== undefined;
  },
  async cancelWaiting(tx, subscriptionId, { reason, limit }, at) {
    const waiting = tx
      .selectFrom("webhooks_queue")
      .select(["sequence", "fence"])
      .where("subscription_id", "=", subscriptionId)
      .where("lease_until", "is", null)
      .limit(limit);
    const rows = await skipLocked(tx, waiting).execute();
    const settlements = rows.map((row) => ({ ...row, state: "cancelled" as const, reason, attempts: 0 as const }));
    await settleRows(tx, settlements, { at, underWay: false });
    return rows.length;
  },
});
