import type { TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { erasedAmong, insertRows, isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import type { UnitType } from "./organization.ts";
import { toNamed, toNamedRow } from "./structure-row.ts";

export interface UnitTypeRepository {
  find(id: UnitTypeId, tenantId: TenantId): Promise<UnitType | undefined>;
  /** The unit types with these ids, in whichever tenant. */
  findAll(ids: readonly UnitTypeId[]): Promise<UnitType[]>;
  /** A unit type never moves to another tenant. */
  tenantOf(id: UnitTypeId): Promise<TenantId | undefined>;
  /** The unit types of the tenants, in no order. */
  listOf(tenantIds: readonly TenantId[]): Promise<UnitType[]>;
  createAll(unitTypes: readonly UnitType[]): Promise<void>;
  /** Which of the ids are of erased unit types. */
  listErased(ids: readonly UnitTypeId[]): Promise<ReadonlySet<UnitTypeId>>;
  rename(id: UnitTypeId, name: string): Promise<void>;
}

export const unitTypeRepository = (db: Database<WorkforceTables>): UnitTypeRepository => {
  const unitTypes = () => db.selectFrom("workforce_unit_types").select(["id", "tenant_id", "name", "created_at"]);
  return {
    async find(id, tenantId) {
      const row = await unitTypes().where("id", "=", id).where("tenant_id", "=", tenantId).executeTakeFirst();
      return row && toNamed(row);
    },

    async findAll(ids) {
      if (ids.length === 0) return [];
      return (
        await unitTypes()
          .where(isOneOf(db, "id", ids))
          .execute()
      ).map(toNamed);
    },

    async tenantOf(id) {
      const row = await unitTypes().where("id", "=", id).executeTakeFirst();
      return row?.tenant_id;
    },

    async listOf(tenantIds) {
      return (
        await unitTypes()
          .where(isOneOf(db, "tenant_id", tenantIds))
          .execute()
      ).map(toNamed);
    },

    createAll: (all) => insertRows(db, "workforce_unit_types", all.map(toNamedRow)),

    listErased: (ids) => erasedAmong(db, "workforce_unit_types", ids),

    async rename(id, name) {
      await db.updateTable("workforce_unit_types").set({ name }).where("id", "=", id).execute();
    },
  };
};
