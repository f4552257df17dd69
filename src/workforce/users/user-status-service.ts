import {
  DeleteUserRequest,
  DeleteUserResponse,
  DisableUserRequest,
  DisableUserResponse,
  EnableUserRequest,
  EnableUserResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { UserId } from "#runtime/basis/ids.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { repeatable } from "../repeatable.ts";
import { readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { lockUser } from "./locked-user-service.ts";
import { tellUserUpdated } from "./updated-user-service.ts";
import { toUserMessage } from "./user-message.ts";
import { userRepository } from "./user-repository.ts";
import { statusAfter, type UserAction, whyImpossible } from "./user-status.ts";

export interface UserStatusDeps {
  readonly changes: Changes<WorkforceTables>;
}

interface StatusRequest {
  readonly requestId: string;
  readonly userId: string;
}

/** INACTIVE to ACTIVE. @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status). */
export const enableUser =
  ({ changes }: UserStatusDeps) =>
  async (request: EnableUserRequest, call: Call): Promise<EnableUserResponse> => {
    const userId = readUserId(request);
    const options = repeatable(request, call, EnableUserRequest, EnableUserResponse);
    return changes.run(async (change) => ({ user: await moveUser(change, call, "enable", userId) }), options);
  };

/** ACTIVE to INACTIVE. @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status). */
export const disableUser =
  ({ changes }: UserStatusDeps) =>
  async (request: DisableUserRequest, call: Call): Promise<DisableUserResponse> => {
    const userId = readUserId(request);
    const options = repeatable(request, call, DisableUserRequest, DisableUserResponse);
    return changes.run(async (change) => ({ user: await moveUser(change, call, "disable", userId) }), options);
  };

/** Any status to DELETED, for good (R-E4). @throws NOT_FOUND (user_not_found). */
export const deleteUser =
  ({ changes }: UserStatusDeps) =>
  async (request: DeleteUserRequest, call: Call): Promise<DeleteUserResponse> => {
    const userId = readUserId(request);
    const options = repeatable(request, call, DeleteUserRequest, DeleteUserResponse);
    return changes.run(async (change) => ({ user: await moveUser(change, call, "delete", userId) }), options);
  };

const readUserId = (request: StatusRequest): UserId =>
  readWrite(request, (fields) => fields.id("user_id", "user", request.userId));

/** Moves a user to the state after the action, and tells so; a user that is in that state already stays as it is, and nothing is told. */
async function moveUser(change: Change<WorkforceTables>, call: Call, action: UserAction, userId: UserId) {
  const [tenants, users] = [tenantRepository(change.db), userRepository(change.db)];
  const { user: before, tenant } = await lockUser(change.db, userId);
  const status = statusAfter(action, before.status);
  if (status === undefined) throw failedPrecondition("user_status", whyImpossible(action, before.status));
  if (status === before.status || !(await users.replaceStatus(userId, before.status, status)))
    return toUserMessage(before);
  const after = { ...before, status };
  await tellUserUpdated(change, after, tenant);
  if (status === "DELETED") {
    const reports = await users.listReports(userId, tenant.id);
    await users.clearManager(userId, tenant.id);
    for (const report of reports) await tellUserUpdated(change, { ...report, managerId: null }, tenant);
  }
  await tenants.raiseRevision(tenant.id);
  await change.audit({ actor: call.peer, action: `user.${action}`, object: userId, facts: { from: before.status } });
  return toUserMessage(after);
}
