import { alreadyExists, type Failure, notFound } from "#runtime/basis/errors.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import { LENGTHS } from "../request-fields.ts";
import type { AccessRole } from "./access-role.ts";
import type { AccessRoleRepository } from "./access-role-repository.ts";

/** The tenant's role of that name. @throws NOT_FOUND (access_role_not_found) that lists the names there are. */
export async function getRole(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<AccessRole> {
  const role = await roles.findByName(tenantId, name);
  if (role !== undefined) return role;
  throw unknownRole(await roles.listNames(tenantId));
}

/** What is said of an unknown role, without the names that follow. */
export const UNKNOWN_ROLE = "The tenant has no access role of that name.";

/** Of the longest names, in any script, so many fit into what a refused call may say. */
const LISTED_MAX = 20;

/** Lists the names there are, the first of many. */
export function unknownRole(names: readonly string[]): Failure {
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : "";
  const listed = names.slice(0, LISTED_MAX).join(", ");
  return notFound("access_role_not_found", `${UNKNOWN_ROLE} It has: ${listed}${more}.`);
}

/** To be called with the tenant locked, so that two roles cannot take one name at once. @throws ALREADY_EXISTS (access_role_exists). */
export async function assertNameIsFree(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<void> {
  if ((await roles.findByName(tenantId, name)) !== undefined)
    throw alreadyExists("access_role_exists", `The tenant has an access role ${name} already. Give another name.`);
}

/**
 * A name that is not taken for the role that one user gets in the place of a shared one (R-E3): `Admin (custom)`, then
 * `Admin (custom 2)` and so on. A long name is cut, so that what is made up is not too long.
 */
export function customRoleName(sharedName: string, taken: ReadonlySet<string>): string {
  const base = sharedName.replace(/ \(custom(?: \d+)?\)$/, "");
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? " (custom)" : ` (custom ${count})`;
    const name = `${cut(base, LENGTHS.name - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}

/** Never within a surrogate pair: half of one is not text that a store takes. */
const cut = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
