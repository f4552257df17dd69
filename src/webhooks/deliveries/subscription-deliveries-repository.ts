import { sql } from "kysely";
import type { DeliveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import { skipLocked, type Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DeliveryMoves } from "./moves.ts";

/** At most so many skipped ones are counted. */
const COUNTED_MAX = 1_000;

/** What the life of a subscription asks about its deliveries. */
export interface SubscriptionDeliveriesRepository {
  /** How many of the last thousand skipped ones were skipped at `since` or later. */
  countSkipped(tx: Transaction<WebhooksTables>, subscriptionId: SubscriptionId, since: Date): Promise<number>;
  /** True while the delivery waits for its attempt or is under way. */
  isUnderWay(tx: Transaction<WebhooksTables>, deliveryId: string): Promise<boolean>;
  /** Cancels pending ones of which no attempt is under way; returns how many. */
  cancelWaiting(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    wanted: { readonly reason: string; readonly limit: number },
    at: Date,
  ): Promise<number>;
}

export const subscriptionDeliveriesRepository = ({
  settleRows,
}: Pick<DeliveryMoves, "settleRows">): SubscriptionDeliveriesRepository => ({
  async countSkipped(tx, subscriptionId, since) {
    const { rows } = await sql<{ readonly skipped: number }>`
      select count(*) as skipped from (
        select settled_at from webhooks_settled where subscription_id = ${subscriptionId} and state = 'skipped'
        order by sequence desc limit ${COUNTED_MAX} + 0
      ) as latest where settled_at >= ${since.getTime()}`.execute(tx);
    return Number(rows[0]?.skipped ?? 0);
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
