import { sql } from "kysely";
import type { DeliveryId, SubscriptionId } from "#runtime/basis/ids.ts";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import { moveRows } from "#runtime/database/rows.ts";
import type { DeliveryState } from "../deliveries/delivery.ts";
import type { DeliveryMoves } from "../deliveries/moves.ts";
import type { WebhooksTables } from "../tables.ts";

/** A delivery as a resend has to know it. */
interface ResendCandidate {
  readonly sequence: number;
  readonly id: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  readonly integrationId: string;
  readonly state: DeliveryState;
  readonly round: number;
  readonly hasBody: boolean;
}

/** A settled delivery that is to be sent once more. */
interface Resend {
  readonly sequence: number;
  /** Ignored when the delivery is in another round by now, or is not settled. */
  readonly round: number;
  /** Of the subscription's endpoint as it is now. */
  readonly endpointOrigin: string;
}

/** Settled deliveries that go back into the queue for a round of one attempt (R-E10). */
export interface ResendRepository {
  /** `undefined` when there is no such delivery, or its subscription is gone. */
  find(tx: Transaction<WebhooksTables>, id: string, at: Date): Promise<ResendCandidate | undefined>;
  /** Puts them into the queue, due at once, in the next round; returns the sequences of those that were as given. */
  resend(tx: Transaction<WebhooksTables>, resends: readonly Resend[], at: Date): Promise<ReadonlySet<number>>;
}

export const resendRepository = ({ moveFormer }: Pick<DeliveryMoves, "moveFormer">): ResendRepository => ({
  async find(tx, id, at) {
    const found = await findSettledOrQueued(tx, id);
    if (found !== undefined) return found;
    // Looked for once more even when nothing was moved: another process may have moved it meanwhile.
    await moveFormer(tx, { ids: [id] }, at);
    return findSettledOrQueued(tx, id);
  },
  async resend(tx, resends, at) {
    // In one order, since erasures lock several, too.
    if (resends.length > 1 && !isSqlite(tx))
      await sql`
        select sequence from webhooks_settled
        where sequence = any (${resends.map(({ sequence }) => sequence)}::bigint[]) order by sequence for update`.execute(
        tx,
      );
    return moveRows(tx, {
      from: "webhooks_settled",
      given: resends,
      isAsGiven: sql`
        moved.sequence = cast(given.value ->> 'sequence' as bigint) and round = cast(given.value ->> 'round' as integer)`,
      // One attempt: a plan without waits.
      insert: sql`
        insert into webhooks_queue (sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
          endpoint_origin, round, attempts, delays, created_at, fence, made, due_at, claim)
        ${isSqlite(tx) ? sql`` : sql`overriding system value`}
        select moved.sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
          value ->> 'endpointOrigin', round + 1, 0, '[]', created_at, fence, made, cast(${at.getTime()} as bigint), ''`,
    });
  },
});

interface CandidateRow {
  readonly sequence: number;
  readonly id: string;
  readonly subscription_id: string;
  readonly integration_id: string;
  readonly state: string;
  readonly round: number;
  readonly has_body: number;
}

/** One statement, and so one instant: a delivery is in one table for it. */
async function findSettledOrQueued(tx: Transaction<WebhooksTables>, id: string): Promise<ResendCandidate | undefined> {
  const { rows } = await sql<CandidateRow>`
    select found.*, integration_id, case when body.sequence is null then 0 else 1 end as has_body
    from (
      select sequence, id, subscription_id, 'pending' as state, round from webhooks_queue where id = ${id}
      union all
      select sequence, id, subscription_id, state, round from webhooks_settled where id = ${id}
    ) as found
    join webhooks_subscriptions on webhooks_subscriptions.id = found.subscription_id
    left join webhooks_delivery_bodies as body on body.sequence = found.sequence`.execute(tx);
  const [row] = rows;
  return (
    row && {
      sequence: row.sequence,
      id: row.id as DeliveryId,
      subscriptionId: row.subscription_id as SubscriptionId,
      integrationId: row.integration_id,
      state: row.state as DeliveryState,
      round: row.round,
      hasBody: row.has_body === 1,
    }
  );
}
