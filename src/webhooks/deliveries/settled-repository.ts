import { sql } from "kysely";
import { moveRows } from "#runtime/database/rows.ts";
import type { DeliveryMoves } from "./moves.ts";

const settleRows: DeliveryMoves["settleRows"] = (tx, settlements, { at, underWay }) =>
  moveRows(tx, {
    from: "webhooks_queue",
    given: settlements,
    isAsGiven: sql`
      moved.sequence = cast(given.value ->> 'sequence' as bigint) and fence = cast(given.value ->> 'fence' as integer)
        and lease_until is ${underWay ? sql`not null` : sql`null`}`,
    insert: sql`
      insert into webhooks_settled (sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
        endpoint_origin, round, attempts, delays, created_at, fence, made, state, reason, settled_at)
      select moved.sequence, id, event_id, event_type, occurred_at, subscription_id, tenant_id,
        endpoint_origin, round, attempts + cast(value ->> 'attempts' as integer), delays, created_at, fence,
        coalesce(value ->> 'made', made), value ->> 'state', value ->> 'reason', cast(${at.getTime()} as bigint)`,
  });

export const settledRepository: Pick<DeliveryMoves, "settleRows"> = { settleRows };
