import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { InstanceRepository } from "../instances/instance-repository.ts";
import type { locationCreated } from "../organization/location-event-wire.ts";
import type { unitCreated } from "../organization/unit-event-wire.ts";
import type { unitTypeCreated } from "../organization/unit-type-event-wire.ts";
import type { Person } from "../people/person.ts";
import { unknownReference } from "../refusals.ts";
import type { AccessRoleRepository } from "../tenants/access-role-repository.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { clientCreated } from "../tenants/tenant-event-wire.ts";
import type { userCreated } from "../users/user-event-wire.ts";
import type { workerOnboarded } from "../workers/worker-event-wire.ts";
import type { BulkAccessRoleRepository } from "./stores/bulk-access-role-repository.ts";
import type { BulkPersonRepository } from "./stores/bulk-person-repository.ts";
import type { BulkStructureRepository } from "./stores/bulk-structure-repository.ts";
import type { BulkTenantRepository } from "./stores/bulk-tenant-repository.ts";
import type { BulkUserRepository } from "./stores/bulk-user-repository.ts";
import type { BulkWorkerRepository } from "./stores/bulk-worker-repository.ts";

/** What an import may emit: the events of the methods that create one thing. */
export type ImportEvent = ReturnType<
  | typeof clientCreated
  | typeof userCreated
  | typeof workerOnboarded
  | typeof unitTypeCreated
  | typeof unitCreated
  | typeof locationCreated
>;

/** What the lines of a batch are judged by and written through; all of one transaction. */
export interface ImportContext {
  readonly at: Date;
  readonly random: Random;
  readonly instances: InstanceRepository;
  readonly accessRoles: AccessRoleRepository;
  readonly many: {
    readonly tenants: BulkTenantRepository;
    readonly accessRoles: BulkAccessRoleRepository;
    readonly structure: BulkStructureRepository;
    readonly people: BulkPersonRepository;
    readonly users: BulkUserRepository;
    readonly workers: BulkWorkerRepository;
  };
  /** The tenants that lines of the batch name, locked, and those that it has created. */
  readonly tenants: Map<TenantId, Tenant>;
  /** What something was added to; their revisions rise once, at the end (R-G10). */
  readonly touched: { readonly tenants: Set<TenantId>; readonly instances: Set<InstanceId> };
  /** Does nothing unless the import is to emit events. */
  emit(events: readonly ImportEvent[]): Promise<void>;
  /** Gives a person the names that it lacked; whatever shows the person tells so (R-D2). */
  fillNames(person: Person): Promise<void>;
}

/** @throws NOT_FOUND (tenant_not_found). */
export function getTenant({ tenants }: ImportContext, id: TenantId): Tenant {
  const tenant = tenants.get(id);
  if (tenant === undefined) throw unknownReference("tenant", "tenantId", id);
  return tenant;
}
