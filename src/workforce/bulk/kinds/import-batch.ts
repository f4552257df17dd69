import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { unknownReference } from "../../failures.ts";
import type { InstanceRepository } from "../../instances/instance-repository.ts";
import type { LocationRepository, UnitTypeRepository } from "../../organization/organization-repository.ts";
import type { locationCreated, unitCreated, unitTypeCreated } from "../../organization/structure-event-wire.ts";
import type { UnitRepository } from "../../organization/unit-repository.ts";
import type { Person } from "../../people/person.ts";
import type { PersonRepository } from "../../people/person-repository.ts";
import type { AccessRoleRepository } from "../../tenants/access-role-repository.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantRepository } from "../../tenants/tenant-repository.ts";
import type { clientCreated } from "../../tenants/tenant-wire.ts";
import type { UserRepository } from "../../users/user-repository.ts";
import type { userCreated } from "../../users/user-wire.ts";
import type { WorkerRepository } from "../../workers/worker-repository.ts";
import type { workerOnboarded } from "../../workers/worker-wire.ts";

/** What an import may emit: the events of the methods that create one thing. */
type ImportEvent = ReturnType<
  | typeof clientCreated
  | typeof userCreated
  | typeof workerOnboarded
  | typeof unitTypeCreated
  | typeof unitCreated
  | typeof locationCreated
>;

/** What lines have added to; each of their revisions rises once for a batch (R-G10). */
export interface Touched {
  readonly tenants: Set<TenantId>;
  readonly instances: Set<InstanceId>;
}

/** What the lines of a batch are judged by and written through; all of one transaction. */
export interface ImportBatch {
  readonly at: Date;
  readonly random: Random;
  /** The nouns' repositories, within the batch's transaction. */
  readonly repositories: {
    readonly instances: InstanceRepository;
    readonly tenants: TenantRepository;
    readonly accessRoles: AccessRoleRepository;
    readonly unitTypes: UnitTypeRepository;
    readonly units: UnitRepository;
    readonly locations: LocationRepository;
    readonly people: PersonRepository;
    readonly users: UserRepository;
    readonly workers: WorkerRepository;
  };
  /** The tenants that lines of the batch name, locked, and those that it has created. */
  readonly tenants: Map<TenantId, Tenant>;
  readonly touched: Touched;
  /** Does nothing unless the import is to emit events. */
  emit(events: readonly ImportEvent[]): Promise<void>;
  /** Gives a person the names that it lacked; users and workers that show the person emit it (R-D2). */
  fillNames(person: Person): Promise<void>;
}

/** The tenant that a line names. @throws NOT_FOUND (tenant_not_found). */
export function tenantNamed({ tenants }: ImportBatch, id: TenantId): Tenant {
  const tenant = tenants.get(id);
  if (tenant === undefined) throw unknownReference("tenant", "tenantId", id);
  return tenant;
}
