import {
  AssignManagerRequest,
  AssignManagerResponse,
  AssignRoleRequest,
  AssignRoleResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { getRole } from "../tenants/access-role-name.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { assertCanManage } from "./manager.ts";
import { toUserMessage } from "./user.ts";
import { emitUserUpdated, lockLastingUser } from "./user-change-service.ts";
import { userRepository } from "./user-repository.ts";

interface AssignmentsDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Gives a user another manager, or none.
 * @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status, manager_not_eligible, manager_cycle).
 */
export const assignManager =
  ({ changes }: AssignmentsDeps) =>
  async (request: AssignManagerRequest, call: Call): Promise<AssignManagerResponse> => {
    const { userId, managerId } = readWrite(request, (fields) => ({
      userId: fields.id("user_id", "user", request.userId),
      managerId: fields.optionalId("manager_id", "user", request.managerId),
    }));
    return changes.run(
      async (change) => {
        const { user, tenant } = await lockLastingUser(change.db, userId);
        if (user.managerId === managerId) return change.unchanged({ user: toUserMessage(user) });
        const users = userRepository(change.db);
        if (managerId !== null) await assertCanManage(users, managerId, user);
        await users.replaceManager(userId, managerId);
        const after = { ...user, managerId };
        await emitUserUpdated(change, after, tenant);
        const written = { actor: call.actor, object: userId, facts: { managerId }, tenants: [tenant.id] };
        return change.wrote("user.assignManager", written, { user: toUserMessage(after) });
      },
      repeatable(request, call, AssignManagerRequest, AssignManagerResponse),
    );
  };

/**
 * Gives a user another role, or none.
 * @throws NOT_FOUND (user_not_found, access_role_not_found); FAILED_PRECONDITION (user_status).
 */
export const assignRole =
  ({ changes }: AssignmentsDeps) =>
  async (request: AssignRoleRequest, call: Call): Promise<AssignRoleResponse> => {
    const { userId, roleName } = readWrite(request, (fields) => ({
      userId: fields.id("user_id", "user", request.userId),
      roleName: fields.optionalText("role_name", request.roleName, LENGTHS.name),
    }));
    return changes.run(
      async (change) => {
        const { user, tenant } = await lockLastingUser(change.db, userId);
        const role = roleName === null ? null : await getRole(accessRoleRepository(change.db), tenant.id, roleName);
        if (user.role?.id === role?.id) return change.unchanged({ user: toUserMessage(user) });
        await userRepository(change.db).replaceRole(userId, role?.id ?? null);
        const after = { ...user, role };
        await emitUserUpdated(change, after, tenant);
        const facts = { accessRoleId: role?.id ?? null };
        const written = { actor: call.actor, object: userId, facts, tenants: [tenant.id] };
        return change.wrote("user.assignRole", written, { user: toUserMessage(after) });
      },
      repeatable(request, call, AssignRoleRequest, AssignRoleResponse),
    );
  };
