import { sql } from "kysely";
import type { OrganizationLocationId, OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationLocation, OrganizationStructure, OrganizationUnit, UnitType } from "./organization.ts";

/** The structure of tenants; everything is asked for within one tenant. */
export interface OrganizationRepository {
  getStructure(tenantId: TenantId): Promise<OrganizationStructure>;
  hasUnitType(id: UnitTypeId, tenantId: TenantId): Promise<boolean>;
  /** Those of the ids that are units of the tenant. */
  knownUnits(ids: readonly OrganizationUnitId[], tenantId: TenantId): Promise<ReadonlySet<OrganizationUnitId>>;
  hasLocation(id: OrganizationLocationId, tenantId: TenantId): Promise<boolean>;
  createUnitType(unitType: UnitType): Promise<void>;
  createUnit(unit: OrganizationUnit): Promise<void>;
  createLocation(location: OrganizationLocation): Promise<void>;
}

export const organizationRepository = (db: Database<WorkforceTables>): OrganizationRepository => {
  const named = (
    table: "workforce_unit_types" | "workforce_locations",
    kind: StructureRow["kind"],
    tenantId: TenantId,
  ) =>
    db
      .selectFrom(table)
      .select([
        sql.lit(kind).as("kind"),
        "id",
        "tenant_id",
        "name",
        "created_at",
        sql.lit(null).as("unit_type_id"),
        sql.lit(null).as("unit_code"),
        sql.lit(null).as("description"),
        sql.lit(null).as("parent_unit_id"),
      ])
      .where("tenant_id", "=", tenantId)
      .$castTo<StructureRow>();
  // A single read, so that no unit refers to a type or parent that was not there yet.
  const structure = prepared(db, (value: ValueOf<{ tenantId: TenantId }>) =>
    db
      .selectFrom("workforce_units")
      .select([
        sql.lit("unit").as("kind"),
        "id",
        "tenant_id",
        "name",
        "created_at",
        "unit_type_id",
        "unit_code",
        "description",
        "parent_unit_id",
      ])
      .where("tenant_id", "=", value("tenantId"))
      .$castTo<StructureRow>()
      .unionAll(named("workforce_unit_types", "unitType", value("tenantId")))
      .unionAll(named("workforce_locations", "location", value("tenantId")))
      .orderBy("created_at")
      .orderBy("id"),
  );
  return {
    async getStructure(tenantId) {
      const rows = await structure.all({ tenantId });
      return {
        unitTypes: rows.filter((row) => row.kind === "unitType").map(toNamed),
        units: rows.filter((row) => row.kind === "unit").map(toUnit),
        locations: rows.filter((row) => row.kind === "location").map(toNamed),
      };
    },

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
  };
};

interface NamedRow<Kind, Id> {
  readonly kind: Kind;
  readonly id: Id;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly created_at: number;
}

interface UnitRow extends NamedRow<"unit", OrganizationUnitId> {
  readonly unit_type_id: UnitTypeId;
  readonly unit_code: string | null;
  readonly description: string | null;
  readonly parent_unit_id: OrganizationUnitId | null;
}

/** A row of the three tables under one shape; `kind` tells of which. */
type StructureRow = UnitRow | NamedRow<"unitType", UnitTypeId> | NamedRow<"location", OrganizationLocationId>;

const toNamed = <Id>({ id, tenant_id, name, created_at }: NamedRow<unknown, Id>) => ({
  id,
  tenantId: tenant_id,
  name,
  createdAt: new Date(created_at),
});

const toUnit = (row: UnitRow): OrganizationUnit => ({
  ...toNamed(row),
  unitTypeId: row.unit_type_id,
  unitCode: row.unit_code,
  description: row.description,
  parentUnitId: row.parent_unit_id,
});
