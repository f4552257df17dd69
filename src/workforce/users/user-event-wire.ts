import { operations } from "#generated/operations/gateway.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import { fillPath, type Wire } from "../wire.ts";
import type { User } from "./user.ts";
import { toUserMessage } from "./user-message.ts";
import { toWireUser } from "./user-wire.ts";

/** user.updated with its snapshot (spec §6.2): what the gateway shows, under `userId`. The receiver's own id is filled in later. */
export function userUpdated(user: User, manager: User | undefined, instanceId: InstanceId) {
  const { id, ...fields } = toWireUser(toUserMessage(user), manager === undefined ? null : toUserMessage(manager));
  const data: Omit<Wire["UserUpdatedData"], "links"> = { userId: id, ...fields };
  return {
    eventType: "user.updated" satisfies Wire["UserUpdatedEvent"]["type"],
    entity: { type: "user", id } satisfies Wire["UserEntity"],
    instanceId,
    tenantId: user.tenantId,
    data,
    selfPath: fillPath(operations.getUser.path, { clientId: user.tenantId, userId: id }),
  };
}
