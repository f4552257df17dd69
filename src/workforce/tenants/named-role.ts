import { alreadyExists, notFound } from "#runtime/basis/errors.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { AccessRole } from "./access-role.ts";
import type { AccessRoleRepository } from "./access-role-repository.ts";

/** The tenant's role of that name. @throws NOT_FOUND (access_role_not_found) that lists the names there are. */
export async function getRole(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<AccessRole> {
  const role = await roles.findByName(tenantId, name);
  if (role !== undefined) return role;
  const names = await roles.listNames(tenantId);
  throw notFound("access_role_not_found", `The tenant has no access role of that name. It has: ${names.join(", ")}.`);
}

/** To be called with the tenant locked, so that two roles cannot take one name at once. @throws ALREADY_EXISTS (access_role_exists). */
export async function assertNameIsFree(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<void> {
  if ((await roles.findByName(tenantId, name)) !== undefined)
    throw alreadyExists("access_role_exists", `The tenant has an access role ${name} already. Give another name.`);
}
