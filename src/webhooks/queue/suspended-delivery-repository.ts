import { sql } from "kysely";
import { type Database, skipLocked, type Transaction } from "#runtime/database/database.ts";
import { toDelivery } from "../deliveries/delivery-row.ts";
import type { WebhooksTables } from "../tables.ts";

/** Why a pending delivery is suspended, and why one that was suspended is cancelled. */
const BECAUSE = "store_restored";

/** Deliveries that a restored store suspends: they are pending and nothing takes them up. */
export interface SuspendedDeliveryRepository {
  /**
   * Suspends every pending delivery, and returns how many. The outcome of an attempt under way is lost; a delivery
   * whose last attempt that was is exhausted.
   */
  suspendAll(tx: Transaction<WebhooksTables>, at: Date): Promise<number>;
  count(): Promise<number>;
  /** Makes the oldest ones due; returns how many. */
  release(tx: Transaction<WebhooksTables>, at: Date, limit: number): Promise<number>;
  /** Cancels the oldest ones; returns how many. */
  cancel(tx: Transaction<WebhooksTables>, limit: number): Promise<number>;
}

export const suspendedDeliveryRepository = (db: Database<WebhooksTables>): SuspendedDeliveryRepository => {
  const suspended = (within: Database<WebhooksTables>) =>
    within
      .selectFrom("webhooks_deliveries")
      .where("state", "=", "pending")
      .where("reason", "=", BECAUSE)
      .where("due_at", "is", null)
      .where("lease_until", "is", null);
  const oldest = async (tx: Transaction<WebhooksTables>, limit: number): Promise<readonly number[]> => {
    const rows = await skipLocked(tx, suspended(tx).select("sequence").orderBy("sequence").limit(limit)).execute();
    return rows.map(({ sequence }) => sequence);
  };
  return {
    async suspendAll(tx, at) {
      await tx
        .updateTable("webhooks_attempts")
        .set({ outcome: "lost", finished_at: at.getTime() })
        .where("outcome", "=", "in_flight")
        .execute();
      const underWay = await tx
        .selectFrom("webhooks_deliveries")
        .selectAll()
        .where("lease_until", "is not", null)
        .execute();
      const last = underWay.map(toDelivery).filter(({ attempts, delaysMs }) => attempts > delaysMs.length);
      for (const { sequence } of last)
        await tx
          .updateTable("webhooks_deliveries")
          .set({ state: "exhausted", reason: "lost", lease_until: null, claim: "" })
          .where("sequence", "=", sequence)
          .execute();
      const { numUpdatedRows } = await tx
        .updateTable("webhooks_deliveries")
        .set(({ eb }) => ({
          ...{ reason: BECAUSE, due_at: null, lane: null, lease_until: null, claim: "" },
          ...{ retry_at: null, hand_over_at: null, fence: eb("fence", "+", 1) },
        }))
        .where("state", "=", "pending")
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    async count() {
      const row = await suspended(db).select(sql<number>`count(*)`.as("count")).executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async release(tx, at, limit) {
      const sequences = await oldest(tx, limit);
      if (sequences.length === 0) return 0;
      await tx
        .updateTable("webhooks_deliveries")
        .set({ reason: null, due_at: at.getTime() })
        .where("sequence", "in", sequences)
        .execute();
      return sequences.length;
    },
    async cancel(tx, limit) {
      const sequences = await oldest(tx, limit);
      if (sequences.length === 0) return 0;
      await tx
        .updateTable("webhooks_deliveries")
        .set({ state: "cancelled" })
        .where("sequence", "in", sequences)
        .execute();
      return sequences.length;
    },
  };
};
