import {
  DeleteUserRequest,
  DeleteUserResponse,
  DisableUserRequest,
  DisableUserResponse,
  EnableUserRequest,
  EnableUserResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { User as UserMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { UserId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { readWrite } from "../request-fields.ts";
import { type Ended, repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import { toUserMessage } from "./user.ts";
import { emitManagerCleared, emitUserUpdated, lockUser } from "./user-change-service.ts";
import { userRepository } from "./user-repository.ts";
import { statusAfter, type UserAction, whyImpossible } from "./user-status.ts";

interface UserStatusDeps {
  readonly changes: WorkforceChanges;
}

interface StatusRequest {
  readonly requestId: string;
  readonly userId: string;
}

/** A method that does one action to a user. */
const doing =
  (action: UserAction, asked: typeof EnableUserRequest, answer: typeof EnableUserResponse) =>
  ({ changes }: UserStatusDeps) =>
  async (request: StatusRequest, call: Call): Promise<EnableUserResponse> => {
    const userId = readWrite(request, (fields) => fields.id("user_id", "user", request.userId));
    return changes.run((change) => moveUser(change, call, action, userId), repeatable(request, call, asked, answer));
  };

/** INACTIVE to ACTIVE. @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status). */
export const enableUser = doing("enable", EnableUserRequest, EnableUserResponse);

/** ACTIVE to INACTIVE. @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status). */
export const disableUser = doing("disable", DisableUserRequest, DisableUserResponse);

/** Any status to DELETED, for good (R-E4). @throws NOT_FOUND (user_not_found). */
export const deleteUser = doing("delete", DeleteUserRequest, DeleteUserResponse);

/**
 * Moves a user to the state after the action, and emits the event. A user already in that state is left unchanged,
 * without an event.
 */
async function moveUser(
  change: WorkforceChange,
  call: Call,
  action: UserAction,
  userId: UserId,
): Promise<Ended<{ user: UserMessage }>> {
  const users = userRepository(change.db);
  const { user: before, tenant } = await lockUser(change.db, userId);
  const status = statusAfter(action, before.status);
  if (status === undefined) throw failedPrecondition("user_status", whyImpossible(action, before.status));
  if (status === before.status || !(await users.replaceStatus(userId, before.status, status)))
    return change.unchanged({ user: toUserMessage(before) });
  const after = { ...before, status };
  await emitUserUpdated(change, after, tenant);
  if (status === "DELETED") {
    const reports = await users.listReports(userId, tenant.id);
    await users.clearManager(userId, tenant.id);
    await emitManagerCleared(change, reports, tenant);
  }
  const written = { actor: call.actor, object: userId, facts: { from: before.status }, tenants: [tenant.id] };
  return change.wrote(`user.${action}`, written, { user: toUserMessage(after) });
}
