import {
  type User as UserMessage,
  UserStatus as UserStatusMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { ManagedUser, User } from "./user.ts";
import type { UserStatus } from "./user-status.ts";

const STATUSES: Readonly<Record<UserStatus, UserStatusMessage>> = {
  ACTIVE: UserStatusMessage.USER_STATUS_ACTIVE,
  INACTIVE: UserStatusMessage.USER_STATUS_INACTIVE,
  INVITED: UserStatusMessage.USER_STATUS_INVITED,
  DELETED: UserStatusMessage.USER_STATUS_DELETED,
};

/** A user as our services tell each other. */
export const toUserMessage = (user: User): UserMessage => ({ ...user, status: STATUSES[user.status] });

export const toManagedUserMessage = ({ user, manager }: ManagedUser) => ({
  user: toUserMessage(user),
  manager: manager === undefined ? null : toUserMessage(manager),
});
