import type { OrganizationLocationId, OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationLocation, OrganizationUnit, UnitType } from "./organization.ts";

/** The structure of tenants; everything is asked for within one tenant. */
export interface OrganizationRepository {
  hasUnitType(id: UnitTypeId, tenantId: TenantId): Promise<boolean>;
  /** Those of the ids that are units of the tenant. */
  knownUnits(ids: readonly OrganizationUnitId[], tenantId: TenantId): Promise<ReadonlySet<OrganizationUnitId>>;
  hasLocation(id: OrganizationLocationId, tenantId: TenantId): Promise<boolean>;
  createUnitType(unitType: UnitType): Promise<void>;
  createUnit(unit: OrganizationUnit): Promise<void>;
  createLocation(location: OrganizationLocation): Promise<void>;
}

export const organizationRepository = (db: Database<WorkforceTables>): OrganizationRepository => ({
  async hasUnitType(id, tenantId) {
    const row = await db
      .selectFrom("workforce_unit_types")
      .select("id")
      .where("id", "=", id)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row !== undefined;
  },

  async knownUnits(ids, tenantId) {
    if (ids.length === 0) return new Set();
    const rows = await db
      .selectFrom("workforce_units")
      .select("id")
      .where("id", "in", ids)
      .where("tenant_id", "=", tenantId)
      .execute();
    return new Set(rows.map(({ id }) => id));
  },

  async hasLocation(id, tenantId) {
    const row = await db
      .selectFrom("workforce_locations")
      .select("id")
      .where("id", "=", id)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row !== undefined;
  },

  async createUnitType({ id, tenantId, name, createdAt }) {
    await db
      .insertInto("workforce_unit_types")
      .values({ id, tenant_id: tenantId, name, created_at: createdAt.getTime() })
      .execute();
  },

  async createUnit({ id, tenantId, unitTypeId, name, unitCode, description, parentUnitId, createdAt }) {
    await db
      .insertInto("workforce_units")
      .values({
        id,
        tenant_id: tenantId,
        unit_type_id: unitTypeId,
        name,
        unit_code: unitCode,
        description,
        parent_unit_id: parentUnitId,
        created_at: createdAt.getTime(),
      })
      .execute();
  },

  async createLocation({ id, tenantId, name, createdAt }) {
    await db
      .insertInto("workforce_locations")
      .values({ id, tenant_id: tenantId, name, created_at: createdAt.getTime() })
      .execute();
  },
});
