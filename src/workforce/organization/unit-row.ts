import type { OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";
import type { OrganizationUnit } from "./organization.ts";

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
export interface UnitRow {
  readonly id: OrganizationUnitId;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly created_at: number;
  readonly unit_type_id: UnitTypeId;
  readonly unit_code: string | null;
  readonly description: string | null;
  readonly parent_unit_id: OrganizationUnitId | null;
}

export const toUnit = (row: UnitRow): OrganizationUnit => ({
  id: row.id,
  tenantId: row.tenant_id,
  unitTypeId: row.unit_type_id,
  name: row.name,
  unitCode: row.unit_code,
  description: row.description,
  parentUnitId: row.parent_unit_id,
  createdAt: new Date(row.created_at),
});
