import { sql } from "kysely";
import { type Database, locked, type Transaction } from "#runtime/database/database.ts";
import { attemptsToText } from "../deliveries/attempt.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import type { DeliveryReason } from "../deliveries/delivery-reason.ts";
import { toDelivery } from "../deliveries/delivery-row.ts";
import type { DeliveryMoves } from "../deliveries/moves.ts";
import type { WebhooksTables } from "../tables.ts";

/** Why a pending delivery is suspended, and why one that was suspended is cancelled. */
const BECAUSE: DeliveryReason = "store_restored";
const AT_ONCE = 500;
/** Later than any lease. */
const END_OF_LEASES = new Date(2 ** 52);

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
  cancel(tx: Transaction<WebhooksTables>, at: Date, limit: number): Promise<number>;
}

export const suspendedDeliveryRepository = (
  db: Database<WebhooksTables>,
  { settleRows, moveFormer }: Pick<DeliveryMoves, "settleRows" | "moveFormer">,
): SuspendedDeliveryRepository => {
  const suspended = (within: Database<WebhooksTables>) =>
    within
      .selectFrom("webhooks_queue")
      .where("reason", "=", BECAUSE)
      .where("due_at", "is", null)
      .where("lease_until", "is", null);
  /** Waits for who takes them at this moment: what is left is known then. */
  const oldest = (tx: Transaction<WebhooksTables>, limit: number) =>
    locked(tx, suspended(tx).select(["sequence", "fence"]).orderBy("sequence").limit(limit)).execute();
  return {
    async suspendAll(tx, at) {
      // A backup may be one of a program from before migration 0006.
      while ((await moveFormer(tx, { limit: AT_ONCE, settledToo: false }, END_OF_LEASES)) > 0);
      const rows = await tx.selectFrom("webhooks_queue").selectAll().where("lease_until", "is not", null).execute();
      const lost = rows.map(toDelivery).map((delivery) => ({ ...delivery, text: withLost(delivery, at) }));
      for (const { sequence, text } of lost)
        await tx.updateTable("webhooks_queue").set({ made: text }).where("sequence", "=", sequence).execute();
      const last = lost.filter(({ attempts, delaysMs }) => attempts > delaysMs.length);
      const ended = last.map(({ sequence, fence }) => ({ sequence, fence, attempts: 0 as const }));
      await settleRows(
        tx,
        ended.map((one) => ({ ...one, state: "exhausted", reason: "lost" })),
        { at, underWay: true },
      );
      const { numUpdatedRows } = await tx
        .updateTable("webhooks_queue")
        .set(({ eb }) => ({
          reason: BECAUSE,
          due_at: null,
          lane: null,
          lease_until: null,
          claim: "",
          started_at: null,
          endpoint_url: null,
          retry_at: null,
          hand_over_at: null,
          fence: eb("fence", "+", 1),
        }))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    async count() {
      const row = await suspended(db).select(sql<number>`count(*)`.as("count")).executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async release(tx, at, limit) {
      const rows = await oldest(tx, limit);
      if (rows.length === 0) return 0;
      const sequences = rows.map(({ sequence }) => sequence);
      await tx
        .updateTable("webhooks_queue")
        .set({ reason: null, due_at: at.getTime() })
        .where("sequence", "in", sequences)
        .execute();
      return rows.length;
    },
    async cancel(tx, at, limit) {
      const rows = await oldest(tx, limit);
      const settlements = rows.map(({ sequence, fence }) => ({
        sequence,
        fence,
        attempts: 0 as const,
        state: "cancelled" as const,
        reason: BECAUSE,
      }));
      return (await settleRows(tx, settlements, { at, underWay: false })).size;
    },
  };
};

/** The attempts of a delivery with the one under way, whose outcome is lost. */
const withLost = ({ made, round, attempts, underWay }: Delivery, at: Date): string =>
  attemptsToText([
    ...made,
    {
      round,
      number: attempts,
      startedAt: underWay?.startedAt ?? at,
      finishedAt: at,
      outcome: "lost",
      httpStatus: undefined,
      durationMs: undefined,
      retryAfter: undefined,
      endpointUrl: underWay?.endpointUrl ?? "",
      responseExcerpt: undefined,
    },
  ]);
