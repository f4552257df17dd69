import {
  AssignManagerRequest,
  AssignManagerResponse,
  AssignRoleRequest,
  AssignRoleResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { repeatable } from "../repeatable.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import { getRole } from "../tenants/named-role.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { assertCanManage } from "./eligible-manager.ts";
import { lockLastingUser } from "./locked-user-service.ts";
import { tellUserUpdated } from "./updated-user-service.ts";
import type { User } from "./user.ts";
import { toUserMessage } from "./user-message.ts";
import { userRepository } from "./user-repository.ts";

export interface AssignmentsDeps {
  readonly changes: Changes<WorkforceTables>;
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
        if (user.managerId === managerId) return { user: toUserMessage(user) };
        const users = userRepository(change.db);
        if (managerId !== null) await assertCanManage(users, managerId, user);
        await users.replaceManager(userId, managerId);
        await finish(change, { ...user, managerId }, tenant);
        await change.audit({ actor: call.peer, action: "user.assignManager", object: userId, facts: { managerId } });
        return { user: toUserMessage({ ...user, managerId }) };
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
        if (user.role?.id === role?.id) return { user: toUserMessage(user) };
        await userRepository(change.db).replaceRole(userId, role?.id ?? null);
        await finish(change, { ...user, role }, tenant);
        const facts = { accessRoleId: role?.id ?? null };
        await change.audit({ actor: call.peer, action: "user.assignRole", object: userId, facts });
        return { user: toUserMessage({ ...user, role }) };
      },
      repeatable(request, call, AssignRoleRequest, AssignRoleResponse),
    );
  };

async function finish(change: Change<WorkforceTables>, user: User, tenant: Tenant): Promise<void> {
  await tellUserUpdated(change, user, tenant);
  await tenantRepository(change.db).raiseRevision(tenant.id);
}
