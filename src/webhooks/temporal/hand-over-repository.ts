import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import { batchOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { Delivery, DeliveryState } from "../deliveries/delivery.ts";
import { type DeliveryRow, toDelivery } from "../deliveries/delivery-row.ts";
import type { AttemptState } from "../deliveries/outcome.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DrivenDelivery } from "./round-progress.ts";

/** One round of one delivery, as an engine outside the store names it. */
interface RoundKey {
  readonly deliveryId: string;
  readonly round: number;
}

/** A delivery that waits for an engine outside the store. */
export interface OfferedDelivery extends DrivenDelivery {
  readonly tenantId: TenantId | undefined;
  readonly subscriptionLabel: string;
}

/** The deliveries that a retry engine outside the store drives, or is to drive. */
export interface HandOverRepository {
  /** When the next one is due to be offered. Without a lock. */
  findNextOffer(): Promise<Date | undefined>;
  /** Offers what is due at `now`, longest first, and not again before `until`. */
  offer(
    tx: Transaction<WebhooksTables>,
    now: Date,
    options: { readonly limit: number; readonly until: Date },
  ): Promise<readonly OfferedDelivery[]>;
  /** The engine has them. */
  confirm(tx: Transaction<WebhooksTables>, rounds: readonly RoundKey[]): Promise<void>;
  /** Locked. `undefined` when there is no such delivery, or another round of it is current. */
  find(tx: Transaction<WebhooksTables>, round: RoundKey): Promise<DrivenDelivery | undefined>;
  /** Claims a pending delivery that is not under way: lease, next fence, one attempt more. */
  claim(
    tx: Transaction<WebhooksTables>,
    sequence: number,
    claim: { readonly leaseUntil: Date; readonly name: string },
  ): Promise<Delivery>;
  /** Ends a pending delivery that is not under way. */
  end(
    tx: Transaction<WebhooksTables>,
    sequence: number,
    end: { readonly state: DeliveryState; readonly reason: string },
  ): Promise<void>;
  /** Those that were handed over and still wait, behind the sequence `after`, in its order. */
  listHandedOver(after: number, limit: number): Promise<readonly (RoundKey & { readonly sequence: number })[]>;
  /** Offers them again from `at` on; returns how many still waited. */
  giveBack(tx: Transaction<WebhooksTables>, rounds: readonly RoundKey[], at: Date): Promise<number>;
  /** Puts what waits for such an engine into the store's own queue; returns how many. */
  takeBack(tx: Transaction<WebhooksTables>, limit: number): Promise<number>;
}

export const handOverRepository = (db: Database<WebhooksTables>): HandOverRepository => ({
  async findNextOffer() {
    const row = await db
      .selectFrom("webhooks_deliveries")
      .select("hand_over_at")
      .where("hand_over_at", "is not", null)
      .orderBy("hand_over_at")
      .limit(1)
      .executeTakeFirst();
    return toDate(row?.hand_over_at);
  },
  async offer(tx, now, { limit, until }) {
    const due = sql`
      select sequence from webhooks_deliveries where hand_over_at is not null and hand_over_at <= ${now.getTime()}
      order by hand_over_at limit ${limit} + 0 ${isSqlite(tx) ? sql`` : sql`for update skip locked`}`;
    const among = isSqlite(tx) ? sql`in (${due})` : sql`= any (array(${due}))`;
    const offered = await sql<{ readonly sequence: number }>`
      update webhooks_deliveries set hand_over_at = ${until.getTime()} where sequence ${among} returning sequence`.execute(
      tx,
    );
    const { rows } = await sql<OfferedRow>`
      select delivery.*, outcome, http_status, label from ${batchOf(tx, offered.rows)}
      join webhooks_deliveries as delivery on delivery.sequence = cast(batch.value ->> 'sequence' as bigint)
      join webhooks_subscriptions on webhooks_subscriptions.id = delivery.subscription_id
      ${latestAttempt}`.execute(tx);
    return rows.map((row) => ({
      ...toDriven(row),
      tenantId: (row.tenant_id ?? undefined) as TenantId | undefined,
      subscriptionLabel: row.label,
    }));
  },
  async confirm(tx, rounds) {
    await sql`
      update webhooks_deliveries set hand_over_at = null from ${batchOf(tx, rounds)}
      where ${isRound} and hand_over_at is not null`.execute(tx);
  },
  async find(tx, { deliveryId, round }) {
    const { rows } = await sql<DrivenRow>`
      select delivery.*, outcome, http_status from webhooks_deliveries as delivery ${latestAttempt}
      where delivery.id = ${deliveryId} and delivery.round = ${round} ${isSqlite(tx) ? sql`` : sql`for update of delivery`}`.execute(
      tx,
    );
    return rows[0] === undefined ? undefined : toDriven(rows[0]);
  },
  async claim(tx, sequence, { leaseUntil, name }) {
    const { rows } = await sql<DeliveryRow>`
      update webhooks_deliveries set due_at = null, lane = null, retry_at = null, hand_over_at = null,
        lease_until = ${leaseUntil.getTime()}, claim = ${name}, fence = fence + 1, attempts = attempts + 1
      where sequence = ${sequence} and state = 'pending' and lease_until is null returning *`.execute(tx);
    if (rows[0] === undefined) throw new Error("A delivery that was locked and waiting could not be claimed.");
    return toDelivery(rows[0]);
  },
  async end(tx, sequence, { state, reason }) {
    await tx
      .updateTable("webhooks_deliveries")
      .set({ state, reason, due_at: null, lane: null, retry_at: null, hand_over_at: null })
      .where("sequence", "=", sequence)
      .where("state", "=", "pending")
      .where("lease_until", "is", null)
      .execute();
  },
  async listHandedOver(after, limit) {
    const rows = await db
      .selectFrom("webhooks_deliveries")
      .select(["sequence", "id", "round"])
      .where("retry_at", "is not", null)
      .where("hand_over_at", "is", null)
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(limit)
      .execute();
    return rows.map(({ sequence, id, round }) => ({ sequence, deliveryId: id, round }));
  },
  async giveBack(tx, rounds, at) {
    const { numAffectedRows } = await sql`
      update webhooks_deliveries set hand_over_at = ${at.getTime()} from ${batchOf(tx, rounds)}
      where ${isRound} and retry_at is not null and hand_over_at is null`.execute(tx);
    return Number(numAffectedRows ?? 0n);
  },
  async takeBack(tx, limit) {
    const { numAffectedRows } = await sql`
      update webhooks_deliveries set due_at = retry_at, retry_at = null, hand_over_at = null
      where sequence in (
        select sequence from webhooks_deliveries where retry_at is not null order by sequence limit ${limit} + 0
      )`.execute(tx);
    return Number(numAffectedRows ?? 0n);
  },
});

interface DrivenRow extends DeliveryRow {
  readonly outcome: string | null;
  readonly http_status: number | null;
}

interface OfferedRow extends DrivenRow {
  readonly label: string;
}

const latestAttempt = sql`
  left join webhooks_attempts as attempt on attempt.delivery = delivery.sequence and attempt.round = delivery.round
    and attempt.number = delivery.attempts`;

const isRound = sql`id = batch.value ->> 'deliveryId' and round = cast(batch.value ->> 'round' as integer)`;

const toDate = (milliseconds: number | null | undefined): Date | undefined =>
  milliseconds === null || milliseconds === undefined ? undefined : new Date(milliseconds);

const toDriven = (row: DrivenRow): DrivenDelivery => ({
  ...toDelivery(row),
  state: row.state as DeliveryState,
  reason: row.reason ?? undefined,
  endpointOrigin: row.endpoint_origin,
  dueAt: toDate(row.retry_at ?? row.due_at),
  leaseUntil: toDate(row.lease_until),
  lastOutcome: (row.outcome ?? undefined) as AttemptState | undefined,
  lastHttpStatus: row.http_status ?? undefined,
});
