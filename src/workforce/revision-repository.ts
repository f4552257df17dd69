import type { Kysely } from "kysely";
import type { InstanceId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import { isOneOf } from "#runtime/database/rows.ts";
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
    if (integrationsOf !== undefined)
      await db
        .updateTable("workforce_integrations")
        .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
        .where("id", "in", ({ selectFrom }) =>
          selectFrom("workforce_instance_integrations")
            .select("integration_id")
            .where("instance_id", "=", integrationsOf),
        )
        .execute();
  },
});
