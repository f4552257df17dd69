import type { OrganizationLocationId, OrganizationUnitId, TenantId, UnitTypeId } from "#runtime/basis/ids.ts";

/** Everything that a tenant has defined, each by creation time, then id; read at one instant. */
export interface OrganizationStructure {
  readonly unitTypes: UnitType[];
  readonly units: OrganizationUnit[];
  readonly locations: OrganizationLocation[];
}

/** A part of a tenant's structure that has a name and nothing else. */
export interface Named<Id> {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly name: string;
  readonly createdAt: Date;
}

/** A layer of a tenant's structure, for example Department. */
export type UnitType = Named<UnitTypeId>;

/** A place where a tenant's workers work. */
export type OrganizationLocation = Named<OrganizationLocationId>;

/** A unit of a tenant's structure. */
export interface OrganizationUnit {
  readonly id: OrganizationUnitId;
  readonly tenantId: TenantId;
  readonly unitTypeId: UnitTypeId;
  readonly name: string;
  /** The tenant's own code for it. */
  readonly unitCode: string | null;
  readonly description: string | null;
  /** Null for a top-level unit. */
  readonly parentUnitId: OrganizationUnitId | null;
  readonly createdAt: Date;
}

/** A unit with the names around it, as in its event. */
export interface UnitInPlace {
  readonly unit: OrganizationUnit;
  readonly unitType: UnitType;
  readonly parentUnit: { readonly id: OrganizationUnitId; readonly name: string } | null;
}
