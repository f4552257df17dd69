import {
  type User as UserMessage,
  UserStatus as UserStatusMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import type { Person } from "../people/person.ts";
import type { AccessRole } from "../tenants/access-role.ts";
import type { UserStatus } from "./user-status.ts";

/** A person's seat in one tenant's dashboard. */
export interface User {
  readonly id: UserId;
  readonly tenantId: TenantId;
  readonly person: Person;
  readonly status: UserStatus;
  /** Another user of the same tenant. */
  readonly managerId: UserId | null;
  readonly role: AccessRole | null;
  readonly createdAt: Date;
}

/** A user as the gateway shows it, read together with its manager at one instant. */
export interface ManagedUser {
  readonly user: User;
  readonly manager: User | undefined;
}

/** A user as our services send it to each other. */
export const toUserMessage = (user: User): UserMessage => ({ ...user, status: UserStatusMessage[user.status] });

export const toManagedUserMessage = ({ user, manager }: ManagedUser) => ({
  user: toUserMessage(user),
  manager: manager === undefined ? null : toUserMessage(manager),
});
