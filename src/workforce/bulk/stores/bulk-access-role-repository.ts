import type { TenantId } from "#runtime/basis/ids.ts";
import { isOneOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../../tables.ts";
import type { AccessRoleDefinition } from "../../tenants/access-role.ts";

/** The roles of many tenants by one statement. */
export interface BulkAccessRoleRepository {
  /** In the order they were made. */
  listOf(tenantIds: readonly TenantId[]): Promise<AccessRoleDefinition[]>;
}

export const bulkAccessRoleRepository = (db: Database<WorkforceTables>): BulkAccessRoleRepository => ({
  async listOf(tenantIds) {
    const rows = await db
      .selectFrom("workforce_access_roles")
      .select(["id", "name", "tenant_id", "kind", "permissions"])
      .where(isOneOf(db, "tenant_id", tenantIds))
      .orderBy("id")
      .execute();
    return rows.map(({ id, name, tenant_id, kind, permissions }) => ({
      role: { id, name },
      tenantId: tenant_id,
      kind,
      permissions: JSON.parse(permissions) as string[],
    }));
  },
});
