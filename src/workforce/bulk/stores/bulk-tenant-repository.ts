import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import { byBytes, insertRows, isOneOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { toAddressRow, toPostalAddress } from "../../postal-address.ts";
import type { WorkforceTables } from "../../tables.ts";
import { STANDARD_ROLES } from "../../tenants/access-role.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** Many tenants by one statement. */
export interface BulkTenantRepository {
  /** Those of the ids that exist, kept for this transaction like those that writes lock, in the order of their ids. */
  lockAll(ids: readonly TenantId[]): Promise<Tenant[]>;
  /** With the roles that every tenant is made with. */
  createAll(tenants: readonly Tenant[]): Promise<void>;
  raiseRevisions(ids: readonly TenantId[]): Promise<void>;
  /** Tenants of the instance after an id, in the order of its bytes. */
  listAfter(instanceId: InstanceId, after: string, count: number): Promise<Tenant[]>;
}

export const bulkTenantRepository = (db: Database<WorkforceTables>): BulkTenantRepository => {
  const tenants = () => db.selectFrom("workforce_tenants").selectAll();
  return {
    async lockAll(ids) {
      if (ids.length === 0) return [];
      const found = tenants()
        .where(isOneOf(db, "id", ids))
        .orderBy(byBytes(db, "id"));
      return (await (isSqlite(db) ? found : found.forNoKeyUpdate()).execute()).map(toTenant);
    },

    async createAll(all) {
      const rows = all.map(({ id, instanceId, name, address, createdAt }) => ({
        id,
        instance_id: instanceId,
        name,
        ...toAddressRow(address),
        revision: 1,
        created_at: createdAt.getTime(),
      }));
      await insertRows(db, "workforce_tenants", rows);
      const roles = all.flatMap(({ id }) =>
        STANDARD_ROLES.map(({ kind, name }) => ({ tenant_id: id, kind, name, permissions: "[]" })),
      );
      await insertRows(db, "workforce_access_roles", roles);
    },

    async raiseRevisions(ids) {
      await db
        .updateTable("workforce_tenants")
        .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
        .where(isOneOf(db, "id", ids))
        .execute();
    },

    async listAfter(instanceId, after, count) {
      const rows = await tenants()
        .where("instance_id", "=", instanceId)
        .where(byBytes(db, "id"), ">", after)
        .orderBy(byBytes(db, "id"))
        .limit(count)
        .execute();
      return rows.map(toTenant);
    },
  };
};

const toTenant = (
  row: Omit<WorkforceTables["workforce_tenants"], "revision"> & { readonly revision: number },
): Tenant => ({
  id: row.id,
  instanceId: row.instance_id,
  name: row.name,
  address: toPostalAddress(row),
  createdAt: new Date(row.created_at),
});
