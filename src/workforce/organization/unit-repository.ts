import type { OrganizationUnitId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { erasedAmong, insertRows, isOneOf } from "#runtime/database/rows.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationUnit } from "./organization.ts";
import { toNamedRow, toUnit, toUnitColumns, UNIT_COLUMNS } from "./structure-row.ts";

export interface UnitRepository {
  find(id: OrganizationUnitId, tenantId: TenantId): Promise<OrganizationUnit | undefined>;
  /** The units with these ids, in whichever tenant. */
  findAll(ids: readonly OrganizationUnitId[]): Promise<OrganizationUnit[]>;
  /** A unit never moves to another tenant. */
  tenantOf(id: OrganizationUnitId): Promise<TenantId | undefined>;
  /** The names of those of the ids that are units of the tenant. */
  listNames(ids: readonly OrganizationUnitId[], tenantId: TenantId): Promise<ReadonlyMap<OrganizationUnitId, string>>;
  /** True when the unit is the other one or lies below it, however deep. */
  isWithin(id: OrganizationUnitId, other: OrganizationUnitId): Promise<boolean>;
  /** The units of the tenants, in no order. */
  listOf(tenantIds: readonly TenantId[]): Promise<OrganizationUnit[]>;
  /** Parents may be among the units. */
  createAll(units: readonly OrganizationUnit[]): Promise<void>;
  /** Which of the ids are of erased units. */
  listErased(ids: readonly OrganizationUnitId[]): Promise<ReadonlySet<OrganizationUnitId>>;
  /** Writes name, code, description and parent. */
  replace(unit: OrganizationUnit): Promise<void>;
}

export const unitRepository = (db: Database<WorkforceTables>): UnitRepository => ({
  async find(id, tenantId) {
    const row = await db
      .selectFrom("workforce_units")
      .select(UNIT_COLUMNS)
      .where("id", "=", id)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return row && toUnit(row);
  },

  async findAll(ids) {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("workforce_units")
      .select(UNIT_COLUMNS)
      .where(isOneOf(db, "id", ids))
      .execute();
    return rows.map(toUnit);
  },

  async listOf(tenantIds) {
    const rows = await db
      .selectFrom("workforce_units")
      .select(UNIT_COLUMNS)
      .where(isOneOf(db, "tenant_id", tenantIds))
      .execute();
    return rows.map(toUnit);
  },

  async tenantOf(id) {
    const row = await db.selectFrom("workforce_units").select("tenant_id").where("id", "=", id).executeTakeFirst();
    return row?.tenant_id;
  },

  async listNames(ids, tenantId) {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom("workforce_units")
      .select(["id", "name"])
      .where("id", "in", ids)
      .where("tenant_id", "=", tenantId)
      .execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  },

  async isWithin(id, other) {
    const row = await db
      .withRecursive("upwards", (cte) =>
        cte
          .selectFrom("workforce_units")
          .select(["id", "parent_unit_id"])
          .where("id", "=", id)
          .union((union) =>
            union
              .selectFrom("upwards")
              .innerJoin("workforce_units as unit", "unit.id", "upwards.parent_unit_id")
              .select(["unit.id", "unit.parent_unit_id"]),
          ),
      )
      .selectFrom("upwards")
      .select("id")
      .where("id", "=", other)
      .executeTakeFirst();
    return row !== undefined;
  },

  createAll: (units) =>
    insertRows(
      db,
      "workforce_units",
      units.map((unit) => ({ ...toNamedRow(unit), unit_type_id: unit.unitTypeId, ...toUnitColumns(unit) })),
    ),

  listErased: (ids) => erasedAmong(db, "workforce_units", ids),

  async replace(unit) {
    await db.updateTable("workforce_units").set(toUnitColumns(unit)).where("id", "=", unit.id).execute();
  },
});
