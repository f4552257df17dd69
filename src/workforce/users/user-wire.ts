import { operations } from "#generated/operations/gateway.ts";
import { type User as UserMessage, UserStatus } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { wordOf } from "#runtime/basis/enum-words.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import { fullName } from "../people/person.ts";
import { fillPath, present, toWireInstant, type Wire } from "../wire.ts";
import { toUserMessage, type User } from "./user.ts";

/** A user as the gateway shows it (spec §2.6, R-G7). The wire's "clientId" is our tenant. */
export function toWireUser(user: UserMessage, manager: UserMessage | null): Wire["PlatformUser"] {
  const { email, ...names } = toWireNames(user);
  return {
    id: user.id,
    clientId: user.tenantId,
    email,
    ...names,
    status: present(wordOf(UserStatus, user.status)),
    manager: manager && toWireManager(manager),
    // The id is internal, a number on our side (R-G14).
    role: user.role && { id: String(user.role.id), name: user.role.name },
    createdAt: toWireInstant(user.createdAt),
  };
}

function toWireManager(manager: UserMessage): Wire["UserManager"] {
  const { email, ...names } = toWireNames(manager);
  return { id: manager.id, ...names, email };
}

function toWireNames({ person }: UserMessage) {
  const { email, firstName = null, lastName = null } = present(person);
  return { email, firstName, lastName, fullName: fullName(firstName, lastName) };
}

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
