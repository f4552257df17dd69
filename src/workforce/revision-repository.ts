import type { Kysely } from "kysely";
import type { InstanceId, IntegrationId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import { byBytes, isOneOf } from "#runtime/database/rows.ts";
import type { Raised } from "./revisions.ts";
import type { WorkforceTables } from "./tables.ts";

interface RevisionRepository {
  /**
   * Raises the revisions named, each once. Tenants and integrations are locked by then; instances are taken in the order of their ids, so
   * that no two changes wait for each other.
   */
  raise(raised: Partial<Raised>): Promise<void>;
}

/** Prepared, since most changes of workforce raise one. */
const raiseInstance = preparedWrite((value: ValueOf<{ id: InstanceId }>, db: Kysely<WorkforceTables>) =>
  db
    .updateTable("workforce_instances")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", value("id")),
);

/** In the order of their ids: another instance may have the same integrations, and change at the same time. */
async function lockIntegrationsOf(
  db: Database<WorkforceTables>,
  instanceId: InstanceId,
): Promise<readonly IntegrationId[]> {
  const connected = db
    .selectFrom("workforce_integrations")
    .select("id")
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("workforce_instance_integrations").select("integration_id").where("instance_id", "=", instanceId),
    )
    .orderBy(byBytes(db, "id"));
  const rows = await (isSqlite(db) ? connected : connected.forNoKeyUpdate()).execute();
  return rows.map(({ id }) => id);
}

export const revisionRepository = (db: Database<WorkforceTables>): RevisionRepository => ({
  async raise({ tenants = [], instances = [], integrations = [], integrationsOf }) {
    if (tenants.length > 0)
      await db
        .updateTable("workforce_tenants")
        .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
        .where(isOneOf(db, "id", tenants))
        .execute();
    for (const id of new Set(instances.toSorted())) await raiseInstance(db, { id });
    if (integrations.length > 0)
      await db
        .updateTable("workforce_integrations")
        .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
        .where(isOneOf(db, "id", integrations))
        .execute();
    if (integrationsOf !== undefined) await this.raise({ integrations: await lockIntegrationsOf(db, integrationsOf) });
  },
});
