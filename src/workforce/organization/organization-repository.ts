import { sql } from "kysely";
import type { OrganizationLocationId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { WorkforceTables } from "../tables.ts";
import type { OrganizationStructure } from "./organization.ts";
import { type NamedRow, toNamed, toUnit, UNIT_COLUMNS, type UnitRow } from "./structure-row.ts";

/** The structure of tenants as a whole. */
export interface OrganizationRepository {
  getStructure(tenantId: TenantId): Promise<OrganizationStructure>;
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
      .select(sql.lit("unit").as("kind"))
      .select(UNIT_COLUMNS)
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
  };
};

/** A row of any of the three tables in one shape; `kind` names the table. */
type StructureRow =
  | (UnitRow & { readonly kind: "unit" })
  | (NamedRow<UnitTypeId> & { readonly kind: "unitType" })
  | (NamedRow<OrganizationLocationId> & { readonly kind: "location" });
