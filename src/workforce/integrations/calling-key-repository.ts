import { type RawBuilder, sql } from "kysely";
import type { InstanceId, InstanceIntegrationId, IntegrationId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { type ReadsOfNow, untilCommit } from "#runtime/database/until-commit.ts";
import type { WorkforceTables } from "../tables.ts";
import { type ApiKey, toApiKey } from "./api-key-row.ts";
import type { Reach, ReachableTenant, RequestPath } from "./reach.ts";

/** A key as a request presents it, with all that is asked about it before content is read. */
export interface CallingKey {
  readonly apiKey: ApiKey;
  /** SHA-256 of the whole key. */
  readonly digest: Buffer;
  readonly reach: Reach;
}

/** The one statement before every request of the gateway (R-X332). */
export interface CallingKeyRepository {
  /** Keys that were accepted since the last commit, where that can be known (decision 0088). To be asked before `find`. */
  accepted(): ReadsOfNow<CallingKey> | undefined;
  /** The key with the look-up part, of which there is at most one, and what its integration reaches of the path. */
  find(lookUp: string, path: RequestPath): Promise<CallingKey | undefined>;
}

export const callingKeyRepository = (db: Database<WorkforceTables>): CallingKeyRepository => {
  // Which rows are read follows from the names alone, never from the key: a row costs microseconds, and by them a caller could tell an
  // unknown key from a revoked one (R-G2), or another integration's connection from one that does not exist (R-G3).
  const calling = prepared(db, (value: ValueOf<RequestPath & { readonly lookUp: string }>) =>
    db
      .selectFrom("workforce_api_keys as key")
      .innerJoin("workforce_integrations as integration", "integration.id", "key.integration_id")
      .leftJoin("workforce_instance_integrations as connection", (join) =>
        join.on("connection.id", "=", orNext("workforce_instance_integrations", "id", value("instanceIntegrationId"))),
      )
      .leftJoin("workforce_instances as instance", "instance.id", "connection.instance_id")
      .leftJoin("workforce_tenants as tenant", (join) =>
        join.on("tenant.id", "=", orNext("workforce_tenants", "id", value("tenantId"))),
      )
      .selectAll("key")
      .select([
        "integration.revision as integrationRevision",
        "connection.id as connectionId",
        "connection.integration_id as connectedIntegrationId",
        "connection.configured",
        "instance.id as instanceId",
        "instance.revision as instanceRevision",
        "tenant.id as tenantId",
        "tenant.instance_id as tenantInstanceId",
        "tenant.revision as tenantRevision",
        "tenant.erased_at as tenantErasedAt",
      ])
      .where("key.look_up", "=", orNext("workforce_api_keys", "look_up", value("lookUp"))),
  );
  return {
    accepted: untilCommit<CallingKey>(db),
    async find(lookUp, path) {
      const row = await calling.first({ lookUp, ...path });
      const read = row && { apiKey: toApiKey(row), digest: row.digest, reach: toReach(row, path) };
      return row?.look_up === lookUp ? read : undefined;
    },
  };
};

/** The name, if a row has it; if not, the next name that a row has, and behind the last one the first. */
const orNext = <Name extends string>(
  table: keyof WorkforceTables,
  column: string,
  name: Name | null,
): RawBuilder<Name> => {
  const lowest = sql`select min(${sql.ref(column)}) from ${sql.table(table)}`;
  return sql`coalesce((${lowest} where ${sql.ref(column)} >= ${name}), (${lowest}))`;
};

interface ReachRow {
  readonly integration_id: IntegrationId;
  readonly integrationRevision: number;
  readonly connectionId: InstanceIntegrationId | null;
  readonly connectedIntegrationId: IntegrationId | null;
  readonly configured: number | null;
  readonly instanceId: InstanceId | null;
  readonly instanceRevision: number | null;
  readonly tenantId: TenantId | null;
  readonly tenantInstanceId: InstanceId | null;
  readonly tenantRevision: number | null;
  readonly tenantErasedAt: number | null | undefined;
}

function toReach(row: ReachRow, path: RequestPath): Reach {
  const { integrationRevision, instanceId, instanceRevision } = row;
  const isCallers =
    row.connectionId === path.instanceIntegrationId && row.connectedIntegrationId === row.integration_id;
  if (!isCallers || instanceId === null || instanceRevision === null)
    return { integrationRevision, connection: undefined };
  const instance = { instanceId, revision: instanceRevision };
  return {
    integrationRevision,
    connection: { configured: row.configured === 1, instance, tenant: toTenant(row, path) },
  };
}

function toTenant(row: ReachRow, path: RequestPath): ReachableTenant | undefined {
  const { tenantId, tenantRevision } = row;
  if (tenantId === null || tenantId !== path.tenantId || tenantRevision === null) return undefined;
  if (row.tenantInstanceId !== row.instanceId || typeof row.tenantErasedAt === "number") return undefined;
  return { id: tenantId, revision: tenantRevision };
}
