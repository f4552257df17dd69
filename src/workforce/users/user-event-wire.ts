import { operations } from "#generated/operations/gateway.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import { fillPath, type Wire } from "../wire.ts";
import type { User } from "./user.ts";
import { toUserMessage } from "./user-message.ts";
import { toWireUser } from "./user-wire.ts";

type UserEventType = Wire["UserCreatedEvent"]["type"] | Wire["UserUpdatedEvent"]["type"];

/** user.created with its snapshot; the same shape as user.updated (R-E1). */
export const userCreated = (user: User, manager: User | undefined, instanceId: InstanceId) =>
  userEvent("user.created", user, manager, instanceId);

/** user.updated with its snapshot (spec §6.2). */
export const userUpdated = (user: User, manager: User | undefined, instanceId: InstanceId) =>
  userEvent("user.updated", user, manager, instanceId);

/** The snapshot is what the gateway shows, under `userId`. The receiver's own id is filled in later. */
function userEvent(eventType: UserEventType, user: User, manager: User | undefined, instanceId: InstanceId) {
  const { id, ...fields } = toWireUser(toUserMessage(user), manager === undefined ? null : toUserMessage(manager));
  const data: Omit<Wire["UserSnapshot"], "links"> = { userId: id, ...fields };
  return {
    eventType,
    entity: { type: "user", id } satisfies Wire["UserEntity"],
    instanceId,
    tenantId: user.tenantId,
    data,
    selfPath: fillPath(operations.getUser.path, { clientId: user.tenantId, userId: id }),
  };
}
