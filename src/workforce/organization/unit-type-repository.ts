import type { TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import type { UnitType } from "./organization.ts";

export interface UnitTypeRepository {
  find(id: UnitTypeId, tenantId: TenantId): Promise<UnitType | undefined>;
  /** A unit type never moves to another tenant. */
  tenantOf(id: UnitTypeId): Promise<TenantId | undefined>;
  create(unitType: UnitType): Promise<void>;
  rename(id: UnitTypeId, name: string): Promise<void>;
}

export const unitTypeRepository = (db: Database<WorkforceTables>): UnitTypeRepository => ({
  async find(id, tenantId) {
    const row = await db
      .selectFrom("workforce_unit_types")
      .select(["name", "created_at"])
      .where("id", "=", id)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row && { id, tenantId, name: row.name, createdAt: new Date(row.created_at) };
  },

  async tenantOf(id) {
    const row = await db.selectFrom("workforce_unit_types").select("tenant_id").where("id", "=", id).executeTakeFirst();
    return row?.tenant_id;
  },

  async create({ id, tenantId, name, createdAt }) {
    await db
      .insertInto("workforce_unit_types")
      .values({ id, tenant_id: tenantId, name, created_at: createdAt.getTime() })
      .execute();
  },

  async rename(id, name) {
    await db.updateTable("workforce_unit_types").set({ name }).where("id", "=", id).execute();
  },
});
