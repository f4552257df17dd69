import type { TenantId } from "#runtime/basis/ids.ts";
import { insertRows, isOneOf } from "#runtime/database/batch.ts";
import type { Database } from "#runtime/database/database.ts";
import type { OrganizationLocation, OrganizationUnit, UnitType } from "../../organization/organization.ts";
import { toUnit, UNIT_COLUMNS } from "../../organization/unit-row.ts";
import type { WorkforceTables } from "../../tables.ts";

/** Unit types, units or locations, many by one statement. */
export interface BulkBelongings<E extends { readonly id: string }> {
  /** Those of the ids that exist, in whichever tenant. */
  findAll(ids: readonly E["id"][]): Promise<E[]>;
  createAll(all: readonly E[]): Promise<void>;
  listOf(tenantIds: readonly TenantId[]): Promise<E[]>;
}

export interface BulkStructureRepository {
  readonly unitTypes: BulkBelongings<UnitType>;
  readonly units: BulkBelongings<OrganizationUnit>;
  readonly locations: BulkBelongings<OrganizationLocation>;
}

type Column = "id" | "tenant_id";

export const bulkStructureRepository = (db: Database<WorkforceTables>): BulkStructureRepository => {
  const belongings = <E extends { readonly id: string }>(
    read: (column: Column, values: readonly string[]) => Promise<E[]>,
    createAll: BulkBelongings<E>["createAll"],
  ): BulkBelongings<E> => ({
    findAll: async (ids) => (ids.length === 0 ? [] : read("id", ids)),
    createAll,
    listOf: (tenantIds) => read("tenant_id", tenantIds),
  });
  return {
    unitTypes: belongings(
      async (column, values) => {
        const found = db
          .selectFrom("workforce_unit_types")
          .selectAll()
          .where(isOneOf(db, column, values));
        return (await found.execute()).map(toNamed);
      },
      (all) => insertRows(db, "workforce_unit_types", all.map(toNamedRow)),
    ),
    locations: belongings(
      async (column, values) => {
        const found = db
          .selectFrom("workforce_locations")
          .selectAll()
          .where(isOneOf(db, column, values));
        return (await found.execute()).map(toNamed);
      },
      (all) => insertRows(db, "workforce_locations", all.map(toNamedRow)),
    ),
    units: belongings(
      async (column, values) => {
        const found = db
          .selectFrom("workforce_units")
          .select(UNIT_COLUMNS)
          .where(isOneOf(db, column, values));
        return (await found.execute()).map(toUnit);
      },
      (all) => insertRows(db, "workforce_units", all.map(toUnitRow)),
    ),
  };
};

interface NamedRow<Id> {
  readonly id: Id;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly created_at: number;
}

interface Named<Id> {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly createdAt: Date;
}

const toNamed = <Id>({ id, tenant_id, name, created_at }: NamedRow<Id>): Named<Id> => ({
  id,
  tenantId: tenant_id,
  name,
  createdAt: new Date(created_at),
});

const toNamedRow = <Id>({ id, tenantId, name, createdAt }: Named<Id>): NamedRow<Id> => ({
  id,
  tenant_id: tenantId,
  name,
  created_at: createdAt.getTime(),
});

const toUnitRow = (unit: OrganizationUnit) => ({
  ...toNamedRow(unit),
  unit_type_id: unit.unitTypeId,
  unit_code: unit.unitCode,
  description: unit.description,
  parent_unit_id: unit.parentUnitId,
});
