import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import { type AccessRole, STANDARD_ROLES } from "./access-role.ts";

export interface AccessRoleRepository {
  createStandardRoles(tenantId: TenantId): Promise<void>;
  findByName(tenantId: TenantId, name: string): Promise<AccessRole | undefined>;
  findOwner(tenantId: TenantId): Promise<AccessRole | undefined>;
  /** Names of all roles of the tenant, in the order they were made. */
  listNames(tenantId: TenantId): Promise<readonly string[]>;
}

export const accessRoleRepository = (db: Database<WorkforceTables>): AccessRoleRepository => {
  const roles = (tenantId: TenantId) =>
    db.selectFrom("workforce_access_roles").select(["id", "name"]).where("tenant_id", "=", tenantId);
  return {
    async createStandardRoles(tenantId) {
      const rows = STANDARD_ROLES.map(({ kind, name }) => ({ tenant_id: tenantId, kind, name }));
      await db.insertInto("workforce_access_roles").values(rows).execute();
    },

    findByName: (tenantId, name) => roles(tenantId).where("name", "=", name).executeTakeFirst(),

    findOwner: (tenantId) => roles(tenantId).where("kind", "=", sql.lit("OWNER")).executeTakeFirst(),

    async listNames(tenantId) {
      const rows = await roles(tenantId).orderBy("id").execute();
      return rows.map(({ name }) => name);
    },
  };
};
