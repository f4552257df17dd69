import type { Database } from "#runtime/database/database.ts";
import { sweepBeyond } from "#runtime/database/sweeping.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { WorkforceTables } from "../tables.ts";
import type { GatewayCheck, GatewayRefusal } from "./gateway-refusal.ts";

export const gatewayRefusalRepository = (db: Database<WorkforceTables>): StoredRefusals<GatewayRefusal> => ({
  async add(refusals) {
    if (refusals.length === 0) return;
    await db
      .insertInto("workforce_gateway_refusals")
      .values(
        refusals.map(({ requestId, at, operation, check, apiKeyId, ids }) => ({
          request_id: requestId,
          refused_at: at.getTime(),
          operation,
          check_name: check,
          api_key_id: apiKeyId ?? null,
          ids: JSON.stringify(ids),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  async find(requestId) {
    const row = await db
      .selectFrom("workforce_gateway_refusals")
      .selectAll()
      .where("request_id", "=", requestId)
      .executeTakeFirst();
    return (
      row && {
        requestId,
        at: new Date(row.refused_at),
        operation: row.operation,
        check: row.check_name as GatewayCheck,
        apiKeyId: row.api_key_id ?? undefined,
        ids: JSON.parse(row.ids) as string[],
      }
    );
  },

  removeBeyond: (bounds, signal) =>
    sweepBeyond(db, { table: "workforce_gateway_refusals", key: "request_id", age: "refused_at" }, bounds, signal),
});
