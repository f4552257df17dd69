import type { AccessRoleDefinition } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Asked } from "../../connection/verb.ts";
import { allPages } from "../../connection/whole-lists.ts";
import { run, withAside } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";

/** The roles of a tenant, in the order they were made. */
export const rolesOf = ({ platform, call }: Asked, tenantId: string): Promise<readonly AccessRoleDefinition[]> =>
  allPages(
    (after: number | null) => platform.listAccessRolesOfTenant({ tenantId, after }, call),
    ({ roles }) => roles,
  );

/** The role of a tenant that was given by name or number. @throws CommandError when the tenant has no such role. */
export async function roleIn(asked: Asked, tenantId: string, given: string): Promise<{ id: number; name: string }> {
  const roles = (await rolesOf(asked, tenantId)).map(({ role }) => present(role));
  const match = roles.find(({ name }) => name === given) ?? roles.find(({ id }) => String(id) === given);
  if (match !== undefined) return match;
  throw commandError(EXIT.usage, {
    code: "NOT_FOUND",
    reason: "access_role_not_found",
    message: `The tenant has no access role ${given}.`,
    fix: withAside(
      `There are: ${roles.map(({ name }) => name).join(", ")}`,
      run`gatehouse roles list --tenant ${tenantId}`,
    ),
  });
}

/** The name of a role that was given by name or number. A name is taken as it is: the command says when it is unknown. */
export const roleNameIn = async (asked: Asked, tenantId: string, given: string): Promise<string> =>
  /^\d+$/.test(given) ? (await roleIn(asked, tenantId, given)).name : given;
