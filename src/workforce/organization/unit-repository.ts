import type { OrganizationUnitId, TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationUnit } from "./organization.ts";
import { toUnit, UNIT_COLUMNS } from "./unit-row.ts";

export interface UnitRepository {
  find(id: OrganizationUnitId, tenantId: TenantId): Promise<OrganizationUnit | undefined>;
  /** A unit never moves to another tenant. */
  tenantOf(id: OrganizationUnitId): Promise<TenantId | undefined>;
  /** The names of those of the ids that are units of the tenant. */
  listNames(ids: readonly OrganizationUnitId[], tenantId: TenantId): Promise<ReadonlyMap<OrganizationUnitId, string>>;
  /** True when the unit is the other one or lies below it, however deep. */
  isWithin(id: OrganizationUnitId, other: OrganizationUnitId): Promise<boolean>;
  /** Parents may be among the units. */
  create(...units: readonly OrganizationUnit[]): Promise<void>;
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

  async create(...units) {
    if (units.length === 0) return;
    const rows = units.map((unit) => ({
      id: unit.id,
      tenant_id: unit.tenantId,
      unit_type_id: unit.unitTypeId,
      created_at: unit.createdAt.getTime(),
      ...toChangeable(unit),
    }));
    await db.insertInto("workforce_units").values(rows).execute();
  },

  async replace(unit) {
    await db.updateTable("workforce_units").set(toChangeable(unit)).where("id", "=", unit.id).execute();
  },
});

const toChangeable = ({ name, unitCode, description, parentUnitId }: OrganizationUnit) => ({
  name,
  unit_code: unitCode,
  description,
  parent_unit_id: parentUnitId,
});
