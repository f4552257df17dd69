import { sql } from "kysely";
import { isSqlite } from "#runtime/database/database.ts";
import { rowsOf } from "#runtime/database/rows.ts";
import type { DeliveryMoves } from "./moves.ts";

const settleRows: DeliveryMoves["settleRows"] = async (tx, settlements, { at, underWay }) => {
  if (settlements.length === 0) return new Set();
  const given = rowsOf(tx, settlements);
  const isAsSeen = sql`
    ended.sequence = cast(given.value ->> 'sequence' as bigint) and fence = cast(given.value ->> 'fence' as integer)
      and lease_until is ${underWay ? sql`not null` : sql`null`}`;
  const append = sql`
    insert into webhooks_settled (sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
      endpoint_origin, round, attempts, delays, created_at, fence, made, state, reason, settled_at)
    select ended.sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
      endpoint_origin, round, attempts + cast(value ->> 'attempts' as integer), delays, created_at, fence,
      coalesce(value ->> 'made', made), value ->> 'state', value ->> 'reason', cast(${at.getTime()} as bigint)`;
  if (!isSqlite(tx)) {
    const { rows } = await sql<Sequenced>`
      with ended as (
        delete from webhooks_queue as ended using ${given} where ${isAsSeen} returning ended.*, given.value
      ) ${append} from ended returning sequence`.execute(tx);
    return new Set(rows.map(({ sequence }) => sequence));
  }
  const { rows } = await sql<Sequenced>`
    ${append} from ${given} join webhooks_queue as ended on ${isAsSeen} where true returning sequence`.execute(tx);
  await sql`
    delete from webhooks_queue where sequence in (
      select cast(given.value ->> 'sequence' as integer) from ${rowsOf(tx, rows)}
    )`.execute(tx);
  return new Set(rows.map(({ sequence }) => sequence));
};

interface Sequenced {
  readonly sequence: number;
}

export const settledRepository: Pick<DeliveryMoves, "settleRows"> = { settleRows };
