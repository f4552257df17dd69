import {
  type User as UserMessage,
  UserStatus as UserStatusMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { ManagedUser, User } from "./user.ts";

/** A user as our services send it to each other. */
export const toUserMessage = (user: User): UserMessage => ({ ...user, status: UserStatusMessage[user.status] });

export const toManagedUserMessage = ({ user, manager }: ManagedUser) => ({
  user: toUserMessage(user),
  manager: manager === undefined ? null : toUserMessage(manager),
});
