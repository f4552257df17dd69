import type { OrganizationLocationId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { insertRows, isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationLocation } from "./organization.ts";
import { toNamed, toNamedRow } from "./structure-row.ts";

export interface LocationRepository {
  find(id: OrganizationLocationId, tenantId: TenantId): Promise<OrganizationLocation | undefined>;
  /** The locations with these ids, in whichever tenant. */
  findAll(ids: readonly OrganizationLocationId[]): Promise<OrganizationLocation[]>;
  /** A location never moves to another tenant. */
  tenantOf(id: OrganizationLocationId): Promise<TenantId | undefined>;
  /** The locations of the tenants, in no order. */
  listOf(tenantIds: readonly TenantId[]): Promise<OrganizationLocation[]>;
  createAll(locations: readonly OrganizationLocation[]): Promise<void>;
  /** The store refuses it while a worker is placed there. */
  delete(id: OrganizationLocationId): Promise<void>;
}

export const locationRepository = (db: Database<WorkforceTables>): LocationRepository => {
  const locations = () => db.selectFrom("workforce_locations").select(["id", "tenant_id", "name", "created_at"]);
  return {
    async find(id, tenantId) {
      const row = await locations().where("id", "=", id).where("tenant_id", "=", tenantId).executeTakeFirst();
      return row && toNamed(row);
    },

    async findAll(ids) {
      if (ids.length === 0) return [];
      return (
        await locations()
          .where(isOneOf(db, "id", ids))
          .execute()
      ).map(toNamed);
    },

    async tenantOf(id) {
      const row = await locations().where("id", "=", id).executeTakeFirst();
      return row?.tenant_id;
    },

    async listOf(tenantIds) {
      return (
        await locations()
          .where(isOneOf(db, "tenant_id", tenantIds))
          .execute()
      ).map(toNamed);
    },

    createAll: (all) => insertRows(db, "workforce_locations", all.map(toNamedRow)),

    async delete(id) {
      await db.deleteFrom("workforce_locations").where("id", "=", id).execute();
    },
  };
};
