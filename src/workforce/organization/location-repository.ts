import type { OrganizationLocationId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationLocation } from "./organization.ts";

export interface LocationRepository {
  find(id: OrganizationLocationId, tenantId: TenantId): Promise<OrganizationLocation | undefined>;
  /** A location never moves to another tenant. */
  tenantOf(id: OrganizationLocationId): Promise<TenantId | undefined>;
  create(location: OrganizationLocation): Promise<void>;
  /** The store refuses it while a worker is placed there. */
  delete(id: OrganizationLocationId): Promise<void>;
}

export const locationRepository = (db: Database<WorkforceTables>): LocationRepository => ({
  async find(id, tenantId) {
    const row = await db
      .selectFrom("workforce_locations")
      .select(["name", "created_at"])
      .where("id", "=", id)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row && { id, tenantId, name: row.name, createdAt: new Date(row.created_at) };
  },

  async tenantOf(id) {
    const row = await db.selectFrom("workforce_locations").select("tenant_id").where("id", "=", id).executeTakeFirst();
    return row?.tenant_id;
  },

  async create({ id, tenantId, name, createdAt }) {
    await db
      .insertInto("workforce_locations")
      .values({ id, tenant_id: tenantId, name, created_at: createdAt.getTime() })
      .execute();
  },

  async delete(id) {
    await db.deleteFrom("workforce_locations").where("id", "=", id).execute();
  },
});
