import type { TenantId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../failures.ts";
import type { Tenant } from "./tenant.ts";
import type { TenantRepository } from "./tenant-repository.ts";

/** Things that belong to one tenant each, for good, and are asked for by their id alone. */
interface Belongings<Id, T> {
  tenantOf(id: Id): Promise<TenantId | undefined>;
  find(id: Id, tenantId: TenantId): Promise<T | undefined>;
}

/**
 * Locks the tenant that a thing belongs to and reads the thing then, so that what is read holds until the change is committed;
 * `undefined` when there is no such thing.
 */
export async function findAndLock<Id, T>(
  tenants: TenantRepository,
  { tenantOf, find }: Belongings<Id, T>,
  id: Id,
): Promise<{ readonly tenant: Tenant; readonly one: T } | undefined> {
  const tenantId = await tenantOf(id);
  const tenant = tenantId && (await tenants.lock(tenantId));
  const one = tenant && (await find(id, tenant.id));
  return one && tenant && { tenant, one };
}

/** Locks a tenant that a request names. @throws NOT_FOUND (tenant_not_found). */
export async function getAndLock(tenants: TenantRepository, tenantId: TenantId): Promise<Tenant> {
  const tenant = await tenants.lock(tenantId);
  if (!tenant) throw unknownReference("tenant", "tenant_id", tenantId);
  return tenant;
}
