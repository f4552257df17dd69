import type { OrganizationLocationId, OrganizationUnitId, TenantId, WorkerId } from "#runtime/basis/ids.ts";
import type { Person } from "../people/person.ts";
import type { PostalAddress } from "../postal-address.ts";

/** A person's employment with one tenant. */
export interface Worker {
  readonly id: WorkerId;
  readonly tenantId: TenantId;
  /** Has both names (R-D2). */
  readonly person: Person;
  readonly jobTitles: string[];
  readonly phone: string | null;
  readonly address: PostalAddress;
  /** Units of the same tenant, in the order they were given. */
  readonly unitIds: OrganizationUnitId[];
  /** One of `unitIds`. */
  readonly primaryUnitId: OrganizationUnitId | null;
  readonly locationId: OrganizationLocationId | null;
  readonly createdAt: Date;
  /** Null while the employment lasts (R-G16). */
  readonly endedAt: Date | null;
}

/** Most job titles of one worker. */
export const JOB_TITLES_MAX = 20;
/** Most units that one worker is placed in. */
export const UNITS_MAX = 100;

/** A unit or location as a worker's record names it. */
export interface NamedPlace {
  readonly id: OrganizationUnitId | OrganizationLocationId;
  readonly name: string;
}

/** What the gateway shows of a worker, wherever it is placed. */
export interface ListedWorker {
  readonly id: WorkerId;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly jobTitles: string[];
  readonly phone: string | null;
  readonly address: PostalAddress;
  readonly createdAt: Date;
}

/** Where a worker is placed, by name. */
export interface Placement {
  /** In the order they were given. */
  readonly units: NamedPlace[];
  /** One of `units`. */
  readonly primaryUnit: NamedPlace | null;
  readonly location: NamedPlace | null;
}

/** A worker with the names of where it is placed, read at one instant. */
export interface PlacedWorker<W = Worker> extends Placement {
  readonly worker: W;
}

/** A worker with the names of where it is placed, as the gateway shows it (R-G6). */
export interface ShownWorker extends PlacedWorker<ListedWorker> {
  /** Null while the employment lasts (R-G16). */
  readonly endedAt: Date | null;
}
