import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { instantIn, rowsOf } from "#runtime/database/rows.ts";
import type { Attempt } from "../deliveries/attempt.ts";
import type { ClaimedDelivery, Delivery, DeliveryState, SettledState } from "../deliveries/delivery.ts";
import type { DeliveryReason } from "../deliveries/delivery-reason.ts";
import { type ClaimedRow, type QueueRow, toClaimedDelivery, toDelivery } from "../deliveries/delivery-row.ts";
import type { DeliveryMoves } from "../deliveries/moves.ts";
import { CLAIMED, claimedAs } from "../queue/claim-statement.ts";
import type { SettledTable, WebhooksTables } from "../tables.ts";
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
  /**
   * Locked while it is pending; as it ended when a later round is current. `undefined` when there is no such delivery, or
   * no such round of it.
   */
  find(tx: Transaction<WebhooksTables>, round: RoundKey, at: Date): Promise<DrivenDelivery | undefined>;
  /** Claims a pending delivery that is not under way: lease, next fence, one attempt more. */
  claim(
    tx: Transaction<WebhooksTables>,
    sequence: number,
    claim: {
      readonly at: Date;
      readonly leaseUntil: Date;
      readonly name: string;
      /** Where it goes: its endpoint may have moved to another host while it waited. */
      readonly endpointOrigin: string;
    },
  ): Promise<ClaimedDelivery>;
  /** Ends a pending delivery that is not under way. */
  end(
    tx: Transaction<WebhooksTables>,
    delivery: Pick<Delivery, "sequence" | "fence">,
    end: { readonly at: Date; readonly state: SettledState; readonly reason: DeliveryReason },
  ): Promise<void>;
  /** The deliveries that were handed over and still wait, behind the sequence `after`, in its order. */
  listHandedOver(after: number, limit: number): Promise<readonly (RoundKey & { readonly sequence: number })[]>;
  /** Offers them again from `at` on; returns how many still waited. */
  giveBack(tx: Transaction<WebhooksTables>, rounds: readonly RoundKey[], at: Date): Promise<number>;
  /** Puts what waits for such an engine into the store's own queue; returns how many. */
  takeBack(tx: Transaction<WebhooksTables>, limit: number): Promise<number>;
}

export const handOverRepository = (
  db: Database<WebhooksTables>,
  { settleRows, moveFormer }: Pick<DeliveryMoves, "settleRows" | "moveFormer">,
): HandOverRepository => ({
  async findNextOffer() {
    const row = await db
      .selectFrom("webhooks_queue")
      .select("hand_over_at")
      .where("hand_over_at", "is not", null)
      .orderBy("hand_over_at")
      .limit(1)
      .executeTakeFirst();
    return instantIn(row?.hand_over_at);
  },
  async offer(tx, now, { limit, until }) {
    const due = sql`
      select sequence from webhooks_queue where hand_over_at is not null and hand_over_at <= ${now.getTime()}
      order by hand_over_at limit ${limit} + 0 ${isSqlite(tx) ? sql`` : sql`for update skip locked`}`;
    const offered = await sql<{ readonly sequence: number }>`
      update webhooks_queue set hand_over_at = ${until.getTime()} where sequence ${among(tx, due)} returning sequence`.execute(
      tx,
    );
    const { rows } = await sql<OfferedRow>`
      select delivery.*, coalesce(former_label, label) as label from ${rowsOf(tx, offered.rows)}
      join webhooks_queue as delivery on delivery.sequence = cast(given.value ->> 'sequence' as bigint)
      join webhooks_subscriptions on webhooks_subscriptions.id = delivery.subscription_id`.execute(tx);
    return rows.map((row) => ({
      ...drivenInQueue(row),
      tenantId: (row.tenant_id ?? undefined) as TenantId | undefined,
      subscriptionLabel: row.label,
    }));
  },
  async confirm(tx, rounds) {
    await sql`
      update webhooks_queue set hand_over_at = null
      where sequence ${among(tx, inOrder(tx, rounds))} and hand_over_at is not null`.execute(tx);
  },
  async find(tx, round, at) {
    const found = (await findPending(tx, round)) ?? (await findSettled(tx, round)) ?? (await findResent(tx, round));
    if (found !== undefined) return found;
    // Looked for once more even when nothing was moved: another process may have moved it meanwhile.
    await moveFormer(tx, { ids: [round.deliveryId] }, at);
    return (await findPending(tx, round)) ?? findSettled(tx, round);
  },
  async claim(tx, sequence, claim) {
    const { rows } = await sql<ClaimedRow>`
      update webhooks_queue set ${claimedAs(claim)}, endpoint_origin = ${claim.endpointOrigin}
      where sequence = ${sequence} and lease_until is null returning ${CLAIMED}`.execute(tx);
    if (rows[0] === undefined) throw new Error("A delivery that was locked and waiting could not be claimed.");
    return toClaimedDelivery(rows[0]);
  },
  async end(tx, { sequence, fence }, { at, state, reason }) {
    await settleRows(tx, [{ sequence, fence, state, reason, attempts: 0 }], { at, underWay: false });
  },
  async listHandedOver(after, limit) {
    const rows = await db
      .selectFrom("webhooks_queue")
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
      update webhooks_queue set hand_over_at = ${at.getTime()}
      where sequence ${among(tx, inOrder(tx, rounds))} and retry_at is not null and hand_over_at is null`.execute(tx);
    return Number(numAffectedRows ?? 0n);
  },
  async takeBack(tx, limit) {
    const { numAffectedRows } = await sql`
      update webhooks_queue set due_at = retry_at, retry_at = null, hand_over_at = null
      where sequence ${among(
        tx,
        sql`
          select sequence from webhooks_queue where retry_at is not null order by sequence limit ${limit} + 0
          ${isSqlite(tx) ? sql`` : sql`for update`}`,
      )}
      -- Checked again: on PostgreSQL another process may have taken them back since the inner query read them.
      and retry_at is not null`.execute(tx);
    return Number(numAffectedRows ?? 0n);
  },
});

interface OfferedRow extends QueueRow {
  readonly label: string;
}

async function findPending(tx: Transaction<WebhooksTables>, key: RoundKey): Promise<DrivenDelivery | undefined> {
  const { rows } = await sql<QueueRow>`
    select * from webhooks_queue where id = ${key.deliveryId} and round = ${key.round}
    ${isSqlite(tx) ? sql`` : sql`for update`}`.execute(tx);
  return rows[0] && drivenInQueue(rows[0]);
}

async function findSettled(tx: Transaction<WebhooksTables>, key: RoundKey): Promise<DrivenDelivery | undefined> {
  const { rows } = await sql<SettledTable>`
    select * from webhooks_settled where id = ${key.deliveryId} and round = ${key.round}`.execute(tx);
  return rows[0] && drivenSettled(rows[0]);
}

/** The round of a delivery that was sent again since: what its attempts say of it (R-X280). */
async function findResent(tx: Transaction<WebhooksTables>, key: RoundKey): Promise<DrivenDelivery | undefined> {
  const { rows } = await sql<QueueRow>`
    select * from webhooks_queue where id = ${key.deliveryId} and round > ${key.round}`.execute(tx);
  const { rows: settled } = await sql<SettledTable>`
    select * from webhooks_settled where id = ${key.deliveryId} and round > ${key.round}`.execute(tx);
  const [now] = [...rows.map(drivenInQueue), ...settled.map(drivenSettled)];
  const last = now?.made.findLast(({ round }) => round === key.round);
  if (now === undefined || key.round < 1) return undefined;
  return {
    ...now,
    round: key.round,
    attempts: last?.number ?? 0,
    underWay: undefined,
    dueAt: undefined,
    leaseUntil: undefined,
    state: last === undefined ? "skipped" : last.outcome === "acknowledged" ? "delivered" : "exhausted",
    reason: last?.outcome,
    lastOutcome: last?.outcome,
    lastHttpStatus: last?.httpStatus,
  };
}

/** The sequences of the rounds, whose rows are locked in their order: two who name them in another one never wait for each other. */
const inOrder = (tx: Transaction<WebhooksTables>, rounds: readonly RoundKey[]) => sql`
  select sequence from ${rowsOf(tx, rounds)} join webhooks_queue on ${isRound}
  order by sequence ${isSqlite(tx) ? sql`` : sql`for update of webhooks_queue`}`;

/** An array is read once, so that a row is locked once. */
const among = (tx: Transaction<WebhooksTables>, sequences: ReturnType<typeof sql>) =>
  isSqlite(tx) ? sql`in (${sequences})` : sql`= any (array(${sequences}))`;

const isRound = sql`id = given.value ->> 'deliveryId' and round = cast(given.value ->> 'round' as integer)`;

const drivenInQueue = (row: QueueRow): DrivenDelivery => ({
  ...withLastAttempt(toDelivery(row)),
  state: "pending",
  reason: row.reason ?? undefined,
  dueAt: instantIn(row.retry_at ?? row.due_at),
  leaseUntil: instantIn(row.lease_until),
});

const drivenSettled = (row: SettledTable): DrivenDelivery => ({
  ...withLastAttempt(toDelivery({ ...row, started_at: null, endpoint_url: null })),
  state: row.state as DeliveryState,
  reason: row.reason ?? undefined,
  dueAt: undefined,
  leaseUntil: undefined,
});

/** A delivery with how the latest attempt of its round ended. */
function withLastAttempt(delivery: Delivery): Delivery & Pick<DrivenDelivery, "lastOutcome" | "lastHttpStatus"> {
  if (delivery.underWay !== undefined) return { ...delivery, lastOutcome: "in_flight", lastHttpStatus: undefined };
  const isLast = ({ round, number }: Attempt) => round === delivery.round && number === delivery.attempts;
  const last = delivery.made.find(isLast);
  return { ...delivery, lastOutcome: last?.outcome, lastHttpStatus: last?.httpStatus };
}
