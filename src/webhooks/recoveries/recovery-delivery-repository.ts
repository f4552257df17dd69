import { sql } from "kysely";
import type { Transaction } from "#runtime/database/database.ts";
import { attemptsOfText } from "../deliveries/attempt.ts";
import type { DeliveryState } from "../deliveries/delivery.ts";
import type { DeliveryReason } from "../deliveries/delivery-reason.ts";
import { PING } from "../subscriptions/ping.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Recovery } from "./recovery.ts";

/** A settled delivery that a recovery looks at. */
export interface FoundDelivery {
  readonly sequence: number;
  readonly round: number;
  readonly eventType: string;
  readonly tenantId: string | undefined;
  readonly createdAt: Date;
  readonly settledAt: Date;
  readonly hasBody: boolean;
  /** True while a recovery has it under way, or has not counted yet how that ended. */
  readonly isUncounted: boolean;
}

/** How the attempt of a recovery ended. */
export interface EndedResend {
  readonly delivery: number;
  /**
   * `lost` says nothing of the endpoint: the process that sent it did not live to tell. Nothing left of what was
   * `skipped`, of what was `cancelled`, and of what had no body any more.
   */
  readonly end: "acknowledged" | "failed" | "lost" | "skipped" | "cancelled" | "bodyRemoved";
}

/** A delivery that a recovery has under way. */
interface UnderWay {
  readonly delivery: number;
  readonly round: number;
  readonly endpointOrigin: string;
}

/** What recoveries find among settled deliveries, and what they have under way. */
export interface RecoveryDeliveryRepository {
  /** True while some may be where a program from before migration 0006 left them: `look` finds them once they are moved. */
  hasFormer(
    tx: Transaction<WebhooksTables>,
    recovery: Pick<Recovery, "subscriptionId" | "states" | "to">,
  ): Promise<boolean>;
  /** Settled deliveries of the recovery's subscription and states behind the sequence `after`, in its order. */
  look(
    tx: Transaction<WebhooksTables>,
    recovery: Pick<Recovery, "subscriptionId" | "states">,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly FoundDelivery[]>;
  /** Deliveries whose attempt has ended, in the order in which it did. */
  listEnded(tx: Transaction<WebhooksTables>, recovery: number): Promise<readonly EndedResend[]>;
  /** Deliveries that are to be sent once more. */
  listAgain(tx: Transaction<WebhooksTables>, recovery: number, limit: number): Promise<readonly FoundDelivery[]>;
  /**
   * How many of the recovery are under way, how many of it are to be sent once more, and how many of all take places of the
   * origin: what a restored store suspends takes none (R-X248).
   */
  count(
    tx: Transaction<WebhooksTables>,
    recovery: number,
    endpointOrigin: string,
  ): Promise<{ readonly underWay: number; readonly again: number; readonly ofOrigin: number }>;
  countUnderWay(tx: Transaction<WebhooksTables>, recovery: number): Promise<number>;
  add(tx: Transaction<WebhooksTables>, recovery: number, resent: readonly UnderWay[]): Promise<void>;
  /** They are sent once more before anything else. */
  putBack(tx: Transaction<WebhooksTables>, deliveries: readonly number[]): Promise<void>;
  remove(tx: Transaction<WebhooksTables>, deliveries: readonly number[]): Promise<void>;
  /** Removes those that are to be sent once more and are no longer skipped, since they were resent otherwise. */
  removeLost(tx: Transaction<WebhooksTables>, recovery: number): Promise<void>;
}

export const recoveryDeliveryRepository: RecoveryDeliveryRepository = {
  async hasFormer(tx, { subscriptionId, states, to }) {
    const row = await tx
      .selectFrom("webhooks_deliveries")
      .select("sequence")
      .where("subscription_id", "=", subscriptionId)
      .where("state", "in", states)
      .where("created_at", "<", to.getTime())
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
  async look(tx, { subscriptionId, states }, { after, limit }) {
    const ofState = states.map(
      (state) => sql`
        select * from (
          select sequence, round, event_type, tenant_id, created_at, settled_at from webhooks_settled
          where subscription_id = ${subscriptionId} and state = ${state} and sequence > ${after} and event_type <> ${PING}
          order by sequence limit ${limit} + 0
        ) as stretch`,
    );
    const { rows } = await sql<FoundRow>`
      select found.*, case when body.sequence is null then 0 else 1 end as has_body,
        case when uncounted.delivery is null then 0 else 1 end as is_uncounted
      from (${sql.join(ofState, sql` union all `)}) as found
      left join webhooks_delivery_bodies as body on body.sequence = found.sequence
      left join webhooks_recovery_deliveries as uncounted
        on uncounted.delivery = found.sequence and uncounted.round is not null
      order by found.sequence limit ${limit} + 0`.execute(tx);
    return rows.map(toFound);
  },
  async listEnded(tx, recovery) {
    // One statement, and so one instant: a delivery is in one table for it.
    const { rows } = await sql<EndedRow>`
      select resent.delivery, resent.round, settled.state, settled.reason, settled.round as settled_round,
        coalesce(queued.made, settled.made) as made
      from webhooks_recovery_deliveries as resent
      left join webhooks_queue as queued on queued.sequence = resent.delivery
      left join webhooks_settled as settled on settled.sequence = resent.delivery
      where recovery = ${recovery} and resent.round is not null
        and (queued.sequence is null or queued.round > resent.round)`.execute(tx);
    return rows
      .map((row) => ({ ...endOf(row), delivery: row.delivery }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ delivery, end }) => ({ delivery, end }));
  },
  async listAgain(tx, recovery, limit) {
    const { rows } = await sql<FoundRow>`
      select settled.sequence, settled.round, event_type, tenant_id, settled.created_at, settled_at,
        case when body.sequence is null then 0 else 1 end as has_body, 0 as is_uncounted
      from webhooks_recovery_deliveries as again
      join webhooks_settled as settled on settled.sequence = again.delivery
      left join webhooks_delivery_bodies as body on body.sequence = again.delivery
      where recovery = ${recovery} and again.round is null and settled.state = 'skipped'
      order by settled.sequence limit ${limit} + 0`.execute(tx);
    return rows.map(toFound);
  },
  async count(tx, recovery, endpointOrigin) {
    const { rows } = await sql<Record<"under_way" | "again" | "of_origin", number>>`
      select
        (select count(*) from webhooks_recovery_deliveries where recovery = ${recovery} and round is not null) as under_way,
        (select count(*) from webhooks_recovery_deliveries where recovery = ${recovery} and round is null) as again,
        (
          select count(*) from webhooks_recovery_deliveries as taking
          left join webhooks_queue as queued on queued.sequence = taking.delivery
          where taking.endpoint_origin = ${endpointOrigin} and taking.round is not null and queued.reason is null
        ) as of_origin
    `.execute(tx);
    const [row] = rows;
    return {
      underWay: Number(row?.under_way ?? 0),
      again: Number(row?.again ?? 0),
      ofOrigin: Number(row?.of_origin ?? 0),
    };
  },
  async countUnderWay(tx, recovery) {
    const { count } = await tx
      .selectFrom("webhooks_recovery_deliveries")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("recovery", "=", recovery)
      .where("round", "is not", null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
  async add(tx, recovery, resent) {
    const rows = resent.map(({ delivery, round, endpointOrigin }) => ({
      delivery,
      recovery,
      round,
      endpoint_origin: endpointOrigin,
    }));
    if (rows.length > 0) await tx.insertInto("webhooks_recovery_deliveries").values(rows).execute();
  },
  async putBack(tx, deliveries) {
    if (deliveries.length === 0) return;
    await tx
      .updateTable("webhooks_recovery_deliveries")
      .set({ round: null })
      .where("delivery", "in", deliveries)
      .execute();
  },
  async remove(tx, deliveries) {
    if (deliveries.length === 0) return;
    await tx.deleteFrom("webhooks_recovery_deliveries").where("delivery", "in", deliveries).execute();
  },
  async removeLost(tx, recovery) {
    await tx
      .deleteFrom("webhooks_recovery_deliveries")
      .where("recovery", "=", recovery)
      .where("round", "is", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("webhooks_settled")
              .select("sequence")
              .whereRef("sequence", "=", "webhooks_recovery_deliveries.delivery")
              .where("state", "=", "skipped"),
          ),
        ),
      )
      .execute();
  },
};

interface FoundRow {
  readonly sequence: number;
  readonly round: number;
  readonly event_type: string;
  readonly tenant_id: string | null;
  readonly created_at: number;
  readonly settled_at: number;
  readonly has_body: number;
  readonly is_uncounted: number;
}

const toFound = (row: FoundRow): FoundDelivery => ({
  sequence: row.sequence,
  round: row.round,
  eventType: row.event_type,
  tenantId: row.tenant_id ?? undefined,
  createdAt: new Date(row.created_at),
  settledAt: new Date(row.settled_at),
  hasBody: row.has_body === 1,
  isUncounted: row.is_uncounted === 1,
});

interface EndedRow {
  readonly delivery: number;
  readonly round: number;
  readonly state: DeliveryState | null;
  readonly reason: DeliveryReason | null;
  readonly settled_round: number | null;
  readonly made: string | null;
}

/**
 * What is gone, by its age or with its subscription, has failed. One in a later round that has no attempt of its own was
 * skipped, and sent again by others.
 */
function endOf({ round, state, reason, settled_round, made }: EndedRow): { end: EndedResend["end"]; at: number } {
  const attempt = attemptsOfText(made ?? "[]").findLast((one) => one.round === round);
  const at = attempt?.finishedAt?.getTime() ?? 0;
  if (attempt?.outcome === "acknowledged") return { end: "acknowledged", at };
  if (state === "skipped" && settled_round === round) return { end: "skipped", at };
  if (attempt === undefined && made !== null && settled_round !== round) return { end: "skipped", at };
  if (attempt === undefined && state === "cancelled")
    return { end: reason === "body_removed" ? "bodyRemoved" : "cancelled", at };
  return { end: attempt?.outcome === "lost" ? "lost" : "failed", at };
}
