import type { ApiKeyId, IntegrationId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { newestFirst } from "#runtime/database/newest-first.ts";
import { sweepBeyond } from "#runtime/database/sweeping.ts";
import type { RefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { WorkforceTables } from "../tables.ts";
import type { GatewayCheck, GatewayRefusal } from "./gateway-refusal.ts";

/** A refusal with what its key is called now; both are `undefined` for an unknown key. */
export interface ListedRefusal extends Omit<GatewayRefusal, "ids"> {
  readonly apiKeyLabel: string | undefined;
  readonly integration: { readonly id: string; readonly name: string } | undefined;
}

export interface GatewayRefusalRepository extends StoredRefusals<GatewayRefusal> {
  /** Newest first, one more than the page's limit where there are more; of a key or an integration, if one is given. */
  list(
    page: RefusalPage,
    of: { readonly apiKeyId: string | undefined; readonly integrationId: string | undefined },
  ): Promise<readonly ListedRefusal[]>;
}

export const gatewayRefusalRepository = (db: Database<WorkforceTables>): GatewayRefusalRepository => ({
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

  async list(page, { apiKeyId, integrationId }) {
    const { behind, order } = newestFirst(db, page.before);
    let query = db
      .selectFrom("workforce_gateway_refusals as refusal")
      .leftJoin("workforce_api_keys as key", "key.id", "refusal.api_key_id")
      .leftJoin("workforce_integrations as integration", "integration.id", "key.integration_id")
      .select(["refusal.request_id", "refused_at", "operation", "check_name", "api_key_id", "key.label"])
      .select(["integration.id as integration_id", "integration.name as integration_name"])
      .where(behind);
    if (apiKeyId !== undefined) query = query.where("api_key_id", "=", apiKeyId as ApiKeyId);
    if (integrationId !== undefined) query = query.where("key.integration_id", "=", integrationId as IntegrationId);
    const rows = await query
      .orderBy(order)
      .limit(page.limit + 1)
      .execute();
    return rows.map((row) => ({
      requestId: row.request_id,
      at: new Date(row.refused_at),
      operation: row.operation,
      check: row.check_name as GatewayCheck,
      apiKeyId: row.api_key_id ?? undefined,
      apiKeyLabel: row.label ?? undefined,
      integration:
        row.integration_id === null || row.integration_name === null
          ? undefined
          : { id: row.integration_id, name: row.integration_name },
    }));
  },

  removeBeyond: (bounds, signal) =>
    sweepBeyond(db, { table: "workforce_gateway_refusals", key: "request_id", age: "refused_at" }, bounds, signal),
});
