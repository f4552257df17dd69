import type { OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { Named, OrganizationUnit } from "./organization.ts";

/** A row of unit types or locations, which have a name and nothing else. */
export interface NamedRow<Id> {
  readonly id: Id;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly created_at: number;
}

export const toNamed = <Id>({ id, tenant_id, name, created_at }: NamedRow<Id>): Named<Id> => ({
  id,
  tenantId: tenant_id,
  name,
  createdAt: new Date(created_at),
});

export const toNamedRow = <Id>({ id, tenantId, name, createdAt }: Named<Id>): NamedRow<Id> => ({
  id,
  tenant_id: tenantId,
  name,
  created_at: createdAt.getTime(),
});

/** The columns of a unit as they are read. */
export const UNIT_COLUMNS = [
  "id",
  "tenant_id",
  "name",
  "created_at",
  "unit_type_id",
  "unit_code",
  "description",
  "parent_unit_id",
] as const;

/** A row that was read with UNIT_COLUMNS. */
export interface UnitRow extends NamedRow<OrganizationUnitId> {
  readonly unit_type_id: UnitTypeId;
  readonly unit_code: string | null;
  readonly description: string | null;
  readonly parent_unit_id: OrganizationUnitId | null;
}

export const toUnit = (row: UnitRow): OrganizationUnit => ({
  ...toNamed(row),
  unitTypeId: row.unit_type_id,
  unitCode: row.unit_code,
  description: row.description,
  parentUnitId: row.parent_unit_id,
});

/** What may change about a unit, as columns. */
export const toUnitColumns = ({ name, unitCode, description, parentUnitId }: OrganizationUnit) => ({
  name,
  unit_code: unitCode,
  description,
  parent_unit_id: parentUnitId,
});
