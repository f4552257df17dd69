import {
  EditUserPermissionsRequest,
  EditUserPermissionsResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { isSame } from "../revisions.ts";
import { type AccessRoleDefinition, readPermissions, toDefinitionMessage } from "../tenants/access-role.ts";
import { assertNameIsFree, customRoleName } from "../tenants/access-role-name.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import { repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import { toUserMessage, type User } from "./user.ts";
import { emitUserUpdated, lockLastingUser } from "./user-change-service.ts";
import { userRepository } from "./user-repository.ts";

interface UserPermissionsDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Sets the permissions of one user. A custom role that no other user has is changed in place. Any other role is
 * replaced by a new custom one for this user, and user.updated is emitted (R-E3).
 * @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status, user_without_role); ALREADY_EXISTS
 * (access_role_exists).
 */
export const editUserPermissions =
  ({ changes }: UserPermissionsDeps) =>
  async (request: EditUserPermissionsRequest, call: Call): Promise<EditUserPermissionsResponse> => {
    const { userId, permissions, roleName } = readWrite(request, (fields) => ({
      userId: fields.id("user_id", "user", request.userId),
      permissions: readPermissions(fields, "permissions", request.permissions),
      roleName: fields.optionalText("role_name", request.roleName, LENGTHS.name),
    }));
    return changes.run(
      async (change) => {
        const { db, unchanged, wrote } = change;
        const { user, tenant } = await lockLastingUser(db, userId);
        const [roles, users] = [accessRoleRepository(db), userRepository(db)];
        const before = user.role && (await roles.find(tenant.id, user.role.id));
        if (!before) throw withoutRole();
        if (isSame(before.permissions, permissions)) return unchanged(answer(user, before));
        const isOwn = before.kind === "CUSTOM" && !(await users.hasOthersWithRole(user));
        const after = isOwn
          ? await changeOwnRole(change, before, permissions)
          : await makeOwnRole(change, before, permissions, roleName);
        const facts = { from: before.role.id, to: after.role.id };
        const written = { actor: call.actor, object: userId, facts };
        if (isOwn) return wrote("user.editPermissions", { ...written, tenants: [] }, answer(user, after));
        const pointed = { ...user, role: after.role };
        await users.replaceRole(userId, after.role.id);
        await emitUserUpdated(change, pointed, tenant);
        return wrote("user.editPermissions", { ...written, tenants: [tenant.id] }, answer(pointed, after));
      },
      repeatable(request, call, EditUserPermissionsRequest, EditUserPermissionsResponse),
    );
  };

const answer = (user: User, role: AccessRoleDefinition): EditUserPermissionsResponse => ({
  user: toUserMessage(user),
  role: toDefinitionMessage(role),
});

async function changeOwnRole(
  { db }: WorkforceChange,
  before: AccessRoleDefinition,
  permissions: string[],
): Promise<AccessRoleDefinition> {
  await accessRoleRepository(db).replaceDetails(before.role.id, { name: before.role.name, permissions });
  return { ...before, permissions };
}

async function makeOwnRole(
  { db }: WorkforceChange,
  { tenantId, role }: AccessRoleDefinition,
  permissions: string[],
  roleName: string | null,
): Promise<AccessRoleDefinition> {
  const roles = accessRoleRepository(db);
  if (roleName !== null) await assertNameIsFree(roles, tenantId, roleName);
  const isTaken = async (name: string) => (await roles.findByName(tenantId, name)) !== undefined;
  const name = roleName ?? (await customRoleName(role.name, isTaken));
  return roles.createCustom(tenantId, { name, permissions });
}

const withoutRole = () =>
  failedPrecondition(
    "user_without_role",
    "The user has no access role whose permissions could be edited. Assign one first.",
  );
