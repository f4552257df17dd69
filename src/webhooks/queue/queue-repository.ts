import { sql } from "kysely";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { instantIn, isOneOf, rowsOf } from "#runtime/database/rows.ts";
import { type Attempt, attemptsToText } from "../deliveries/attempt.ts";
import type { ClaimedDelivery, Delivery, DeliveryState } from "../deliveries/delivery.ts";
import type { DeliveryReason } from "../deliveries/delivery-reason.ts";
import { type ClaimedRow, type QueueRow, toClaimedDelivery, toDelivery } from "../deliveries/delivery-row.ts";
import { laneOfWaiting, UNPROVEN_LANES } from "../deliveries/lane.ts";
import type { DeliveryMoves, Settlement } from "../deliveries/moves.ts";
import type { WebhooksTables } from "../tables.ts";
import { CLAIMED, claimedAs } from "./claim-statement.ts";
import type { Waiting } from "./retry-engine.ts";
import type { Line } from "./turns.ts";

/** A claim that ends, and what becomes of its delivery: it is settled, or waits. */
export interface EndedClaim extends Waiting {
  readonly sequence: number;
  /** The claim's fencing number; ignored if the delivery has a newer one. */
  readonly fence: number;
  readonly state: DeliveryState;
  readonly reason?: DeliveryReason | undefined;
  /** The delivery's attempts with the one that has just ended; absent when none has. */
  readonly made?: readonly Attempt[];
  /** True when the attempt of the claim was never made. */
  readonly withdrawn?: boolean;
  /** Where the delivery waits from now on; absent where that stays. */
  readonly endpointOrigin?: string;
}

/** What there is to do, and when there will be more. */
export interface QueueLook {
  /** True when deliveries are ready to be claimed. */
  readonly ready: boolean;
  /** When the next one that waits is due. */
  readonly waitingUntil: Date | undefined;
  /** When the next lease passes. */
  readonly leasedUntil: Date | undefined;
}

/** A line with how many of it are to be claimed. */
interface LineShare {
  readonly line: Pick<Line, "lane" | "subscriptionId">;
  readonly share: number;
}

/** A delivery that is under way, with what the store says of its subscription. */
export interface PacedDelivery extends Delivery {
  /** `undefined` when its endpoint is not the subscription's any more: the attempt says nothing of the present one. */
  readonly wasSlow: boolean | undefined;
}

/**
 * The deliveries as a queue. What is ready is in the lane of its endpoint's origin, those of one subscription there are
 * a line (lines-repository.ts); what waits for a retry becomes ready when due, what is under way has a lease.
 */
export interface QueueRepository {
  /** Without a lock: whether a claim is worth its transaction, one that takes nothing unproven if that is not wanted. */
  look(wanted: { readonly unprovenToo: boolean }): Promise<QueueLook>;
  /** Deliveries whose lease has passed at `now`, longest ago first, locked; omits those that another claim handles. */
  listExpired(tx: Transaction<WebhooksTables>, now: Date, limit: number): Promise<readonly Delivery[]>;
  /** Puts what has waited long enough at `now` into its lane; returns how many. */
  makeReady(tx: Transaction<WebhooksTables>, now: Date, limit: number): Promise<number>;
  /**
   * Claims the longest due ones of each line: lease, next fence, one attempt more, which is recorded with the endpoint's
   * URL before its request leaves (R-E8).
   */
  claim(
    tx: Transaction<WebhooksTables>,
    shares: readonly LineShare[],
    claim: { readonly at: Date; readonly leaseUntil: Date; readonly name: string },
  ): Promise<readonly ClaimedDelivery[]>;
  /** The given deliveries that are under way, whatever their lease; locked. */
  listUnderWay(tx: Transaction<WebhooksTables>, ids: readonly string[], at: Date): Promise<readonly PacedDelivery[]>;
  /** What claims of these names took and is under way, locked. */
  listClaimed(tx: Transaction<WebhooksTables>, names: readonly string[], at: Date): Promise<readonly Delivery[]>;
  /** Ends claims; returns the sequences of those that were current. What needs nothing more leaves the queue. */
  endClaims(tx: Transaction<WebhooksTables>, claims: readonly EndedClaim[], at: Date): Promise<ReadonlySet<number>>;
}

// Here and in lines-repository.ts: "order by … limit 1" instead of min(), "limit n + 0" and casts around single values. All three keep a
// planner on the one index that fits, whatever its statistics say, and SQLite from preparing a statement again for each
// value that is bound.

export const queueRepository = (
  db: Database<WebhooksTables>,
  { settleRows, moveFormer }: Pick<DeliveryMoves, "settleRows" | "moveFormer">,
): QueueRepository => ({
  async look({ unprovenToo }) {
    const { rows } = await sql<{ lane: string | null; due_at: number | null; lease_until: number | null }>`
      select
        (select lane from webhooks_queue where lane is not null order by lane limit 1) as lane,
        (select due_at from webhooks_queue where due_at is not null and lane is null order by due_at limit 1) as due_at,
        (select lease_until from webhooks_queue where lease_until is not null order by lease_until limit 1) as lease_until
    `.execute(db);
    const [row] = rows;
    return {
      // Proven lanes come first.
      ready: typeof row?.lane === "string" && (unprovenToo || !row.lane.startsWith(UNPROVEN_LANES)),
      waitingUntil: instantIn(row?.due_at),
      leasedUntil: instantIn(row?.lease_until),
    };
  },
  async listExpired(tx, now, limit) {
    const { rows } = await sql<QueueRow>`
      select * from webhooks_queue where lease_until is not null and lease_until <= ${now.getTime()}
      order by lease_until limit ${limit} + 0 ${passOverLocked(tx)}`.execute(tx);
    return rows.map(toDelivery);
  },
  async makeReady(tx, now, limit) {
    const due = sql`
      select sequence from webhooks_queue where due_at is not null and lane is null and due_at <= ${now.getTime()}
      order by due_at limit ${limit} + 0 ${passOverLocked(tx)}`;
    const { numAffectedRows } = await sql`
      update webhooks_queue set lane = ${laneOfWaiting()}
      where sequence ${among(tx, due)}`.execute(tx);
    return Number(numAffectedRows ?? 0n);
  },
  async claim(tx, shares, { at, leaseUntil, name }) {
    const firsts = shares.map(
      ({ line, share }, index) => sql`
        select sequence from (
          select sequence from webhooks_queue
          where lane is not null and lane = cast(${line.lane} as text)
            and subscription_id = cast(${line.subscriptionId} as text)
          order by due_at, sequence limit ${share} + 0 ${passOverLocked(tx)}
        ) as ${sql.ref(`line_${index}`)}`,
    );
    const { rows } = await sql<ClaimedRow>`
      update webhooks_queue set ${claimedAs({ at, leaseUntil, name })}
      where sequence ${among(tx, sql.join(firsts, sql` union all `))} returning ${CLAIMED}`.execute(tx);
    return rows.map(toClaimedDelivery);
  },
  async listUnderWay(tx, ids, at) {
    const find = async () => {
      const { rows } = await sql<QueueRow & { readonly slow: number | null; readonly failing_since: number | null }>`
        select webhooks_queue.*, (
          select slow from webhooks_subscriptions as owner
          where owner.id = webhooks_queue.subscription_id and owner.endpoint_url = webhooks_queue.endpoint_url
        ) as slow, (
          select since from webhooks_failing_runs as run where run.subscription_id = webhooks_queue.subscription_id
        ) as failing_since
        from ${rowsOf(
          tx,
          ids.map((id) => ({ id })),
        )}
        join webhooks_queue on id = given.value ->> 'id'
        where lease_until is not null ${isSqlite(tx) ? sql`` : IN_ORDER}`.execute(tx);
      return rows.map((row) => ({
        ...toDelivery(row),
        wasSlow: row.slow === null ? undefined : row.slow === 1,
        isFailing: row.failing_since !== null,
      }));
    };
    const found = await find();
    if (found.length === ids.length) return found;
    const known = new Set<string>(found.map(({ id }) => id));
    const moved = await moveFormer(tx, { ids: ids.filter((id) => !known.has(id)) }, at);
    return moved === 0 ? found : find();
  },
  async listClaimed(tx, names, at) {
    const find = async () => {
      const { rows } = await sql<QueueRow>`
        select webhooks_queue.* from webhooks_queue
        where lease_until is not null and ${isOneOf(tx, "claim", names)} ${isSqlite(tx) ? sql`` : IN_ORDER}`.execute(
        tx,
      );
      return rows.map(toDelivery);
    };
    const found = await find();
    return found.length > 0 || (await moveFormer(tx, { claims: names }, at)) === 0 ? found : find();
  },
  async endClaims(tx, claims, at) {
    const { settled = [], waiting = [] } = Object.groupBy(claims, ({ state }) =>
      state === "pending" ? "waiting" : "settled",
    );
    const current = await settleRows(tx, settled.flatMap(toSettlement), { at, underWay: true });
    return waiting.length === 0 ? current : new Set([...current, ...(await putInWait(tx, waiting))]);
  },
});

function toSettlement({ sequence, fence, state, reason, made, withdrawn }: EndedClaim): readonly Settlement[] {
  if (state === "pending") return [];
  const attempts = withdrawn === true ? -1 : 0;
  return [{ sequence, fence, state, reason, made: made && attemptsToText(made), attempts }];
}

/** Returns the sequences of those whose claims were current. */
async function putInWait(tx: Transaction<WebhooksTables>, claims: readonly EndedClaim[]): Promise<readonly number[]> {
  const rows = claims.map(({ sequence, fence, dueAt, retryAt, handOverAt, withdrawn, made, endpointOrigin }) => ({
    sequence,
    fence,
    endpointOrigin,
    dueAt: dueAt?.getTime(),
    retryAt: retryAt?.getTime(),
    handOverAt: handOverAt?.getTime(),
    attempts: withdrawn === true ? -1 : 0,
    made: made && attemptsToText(made),
  }));
  const current = await sql<Sequenced>`
    update webhooks_queue set due_at = cast(given.value ->> 'dueAt' as bigint), lease_until = null, claim = '',
      started_at = null, endpoint_url = null, retry_at = cast(given.value ->> 'retryAt' as bigint),
      hand_over_at = cast(given.value ->> 'handOverAt' as bigint),
      attempts = attempts + cast(given.value ->> 'attempts' as integer), made = coalesce(given.value ->> 'made', made),
      endpoint_origin = coalesce(given.value ->> 'endpointOrigin', endpoint_origin)
    from ${rowsOf(tx, rows)}
    where sequence = cast(given.value ->> 'sequence' as bigint) and fence = cast(given.value ->> 'fence' as integer)
      and lease_until is not null
    returning sequence`.execute(tx);
  return current.rows.map(({ sequence }) => sequence);
}

interface Sequenced {
  readonly sequence: number;
}

type Sql = ReturnType<typeof sql>;

/**
 * An array is read once and looked up by key; given as a subquery, PostgreSQL may choose to read the whole table
 * instead.
 */
const among = (tx: Transaction<WebhooksTables>, sequences: Sql): Sql =>
  isSqlite(tx) ? sql`in (${sequences})` : sql`= any (array(${sequences}))`;

/** Locks, so that two who lock several rows never wait for each other: reports come in any order. */
const IN_ORDER = sql`order by webhooks_queue.sequence for update of webhooks_queue`;

/** No claim waits for rows of another; only places are given one claim at a time. On SQLite the writer's transaction is alone anyway. */
const passOverLocked = (tx: Transaction<WebhooksTables>): Sql => (isSqlite(tx) ? sql`` : sql`for update skip locked`);
