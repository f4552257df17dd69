import type { TenantId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../failures.ts";
import { readFields } from "../request-fields.ts";
import type { Tenant } from "./tenant.ts";
import type { TenantRepository } from "./tenant-repository.ts";

/** Things that belong to one tenant each, for good, and are asked for by their id alone. */
interface Belongings<Id, T> {
  tenantOf(id: Id): Promise<TenantId | undefined>;
  find(id: Id, tenantId: TenantId): Promise<T | undefined>;
}

/**
 * Locks the tenant that a thing belongs to and reads the thing then, so that what is read stays true until the change is committed.
 * @throws NOT_FOUND; `noun` is the thing, in our words with underscores.
 */
export async function getWithTenant<Id extends string, T>(
  tenants: TenantRepository,
  { tenantOf, find }: Belongings<Id, T>,
  noun: string,
  id: Id,
): Promise<{ readonly tenant: Tenant; readonly one: T }> {
  const tenantId = await tenantOf(id);
  const tenant = tenantId && (await tenants.lock(tenantId));
  const one = tenant && (await find(id, tenant.id));
  if (!one || !tenant) throw unknownReference(noun, `${noun}_id`, id);
  return { tenant, one };
}

/** Reads a tenant that a request names. @throws INVALID_ARGUMENT; NOT_FOUND (tenant_not_found). */
export async function getNamedTenant(
  tenants: TenantRepository,
  request: { readonly tenantId: string },
): Promise<Tenant> {
  const tenantId = readFields((fields) => fields.id("tenant_id", "tenant", request.tenantId));
  const tenant = await tenants.find(tenantId);
  if (!tenant) throw unknownReference("tenant", "tenant_id", tenantId);
  return tenant;
}

/** Locks a tenant that a request names. @throws NOT_FOUND (tenant_not_found). */
export async function getAndLock(tenants: TenantRepository, tenantId: TenantId): Promise<Tenant> {
  const tenant = await tenants.lock(tenantId);
  if (!tenant) throw unknownReference("tenant", "tenant_id", tenantId);
  return tenant;
}
