import { alreadyExists, type Failure, notFound } from "#runtime/basis/errors.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import { LENGTHS } from "../request-fields.ts";
import type { AccessRole } from "./access-role.ts";
import type { AccessRoleRepository } from "./access-role-repository.ts";

/** The tenant's role of that name. @throws NOT_FOUND (access_role_not_found) that lists the names there are. */
export async function getRole(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<AccessRole> {
  const role = await roles.findByName(tenantId, name);
  if (role !== undefined) return role;
  throw await unknownRoleOf(roles, tenantId);
}

/** NOT_FOUND (access_role_not_found) that lists the names there are, the first of many. */
export async function unknownRoleOf(
  roles: Pick<AccessRoleRepository, "listPage" | "count">,
  tenantId: TenantId,
): Promise<Failure> {
  const first = await roles.listPage(tenantId, { limit: LISTED_MAX, after: 0 });
  const names = first.slice(0, LISTED_MAX).map(({ role }) => role.name);
  return unknownRole(names, first.length > LISTED_MAX ? (await roles.count(tenantId)) - LISTED_MAX : 0);
}

/** What is said of an unknown role, without the names that follow. */
export const UNKNOWN_ROLE = "The tenant has no access role of that name.";

/** Of the longest names, in any script, so many fit into what a refused call may say. */
const LISTED_MAX = 20;

const unknownRole = (names: readonly string[], more: number): Failure =>
  notFound(
    "access_role_not_found",
    `${UNKNOWN_ROLE} It has: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  );

/** To be called with the tenant locked, so that two roles cannot take one name at once. @throws ALREADY_EXISTS (access_role_exists). */
export async function assertNameIsFree(roles: AccessRoleRepository, tenantId: TenantId, name: string): Promise<void> {
  if ((await roles.findByName(tenantId, name)) !== undefined)
    throw alreadyExists("access_role_exists", `The tenant has an access role ${name} already. Give another name.`);
}

/**
 * A name that is not taken for the role that one user gets in the place of a shared one (R-E3): `Admin (custom)`, then
 * `Admin (custom 2)` and so on. A tenant may have one for each user, so numbers are doubled until one is free, and from
 * there halved back to one that follows a taken one: of many that were given up in between, it is not always the lowest.
 * A long name is cut, so that what is made up is not too long.
 */
export async function customRoleName(sharedName: string, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const base = sharedName.replace(/ \(custom(?: \d+)?\)$/, "");
  const numbered = (count: number): string => {
    const suffix = count === 1 ? " (custom)" : ` (custom ${count})`;
    return `${cut(base, LENGTHS.name - suffix.length)}${suffix}`;
  };
  let [taken, free] = [0, 1];
  while (await isTaken(numbered(free))) [taken, free] = [free, free * 2];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(numbered(middle))) taken = middle;
    else free = middle;
  }
  return numbered(free);
}

/** Never within a surrogate pair: half of one is not text that a store takes. */
const cut = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
