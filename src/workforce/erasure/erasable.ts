import type { InstanceId, OrganizationUnitId, TenantId, UnitTypeId, UserId, WorkerId } from "#runtime/basis/ids.ts";
import type { WorkforceTables } from "../tables.ts";

/** A user or worker of a person, erased or not. */
export type PersonSeat =
  | { readonly kind: "USER"; readonly id: UserId; readonly tenantId: TenantId }
  | { readonly kind: "WORKER"; readonly id: WorkerId; readonly tenantId: TenantId };

/** A place in the order of a tenant's users or workers. */
export interface SeatPlace {
  readonly id: UserId | WorkerId;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A tenant as an erasure locks it. */
export interface LockedTenant {
  readonly id: TenantId;
  readonly instanceId: InstanceId;
  readonly erasedAt: Date | null;
}

/** How many of each an erasure ends. */
export interface ErasedCounts {
  readonly people: number;
  readonly users: number;
  readonly workers: number;
  readonly units: number;
  readonly unitTypes: number;
  readonly locations: number;
}

/** What goes with some seats of a tenant. */
export interface EndedWithSeats {
  /** Those whose person is not erased. */
  readonly seats: number;
  /** People who have no seat elsewhere, each with the first of theirs. */
  readonly people: number;
  /** Behind which the next ones are; `undefined` when these were the last. */
  readonly next: SeatPlace | undefined;
}

/** The seats and the person that were erased. */
export interface ErasedSeats {
  readonly seats: readonly PersonSeat[];
  readonly isPersonErased: boolean;
}

/** A unit or a unit type. */
export type ErasablePlace =
  | { readonly kind: "unit"; readonly id: OrganizationUnitId }
  | { readonly kind: "unitType"; readonly id: UnitTypeId };

/** The table of a kind of seats. */
export const seatTableOf = (kind: PersonSeat["kind"]) => (kind === "USER" ? "workforce_users" : "workforce_workers");

/** The table of each kind of thing that is erased, by the first word of its ids. */
export const ERASABLE_TABLES: Readonly<Record<string, keyof WorkforceTables>> = {
  person: "workforce_people",
  user: "workforce_users",
  worker: "workforce_workers",
  client: "workforce_tenants",
  unit: "workforce_units",
  unittype: "workforce_unit_types",
};
