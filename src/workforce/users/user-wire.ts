import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { UserStatus } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { fullName } from "../people/full-name.ts";
import { present, toWireInstant, type Wire } from "../wire.ts";

const STATUSES: Readonly<Record<UserStatus, Wire["PlatformUser"]["status"] | undefined>> = {
  [UserStatus.USER_STATUS_ACTIVE]: "ACTIVE",
  [UserStatus.USER_STATUS_INACTIVE]: "INACTIVE",
  [UserStatus.USER_STATUS_INVITED]: "INVITED",
  [UserStatus.USER_STATUS_DELETED]: "DELETED",
  [UserStatus.USER_STATUS_UNSPECIFIED]: undefined,
  [UserStatus.UNRECOGNIZED]: undefined,
};

/** A user as the gateway shows it (spec §2.6, R-G7). The wire's "clientId" is our tenant. */
export function toWireUser(user: User, manager: User | null): Wire["PlatformUser"] {
  const { email, ...names } = toWireNames(user);
  return {
    id: user.id,
    clientId: user.tenantId,
    email,
    ...names,
    status: present(STATUSES[user.status]),
    manager: manager && toWireManager(manager),
    // The id is internal, a number on our side (R-G14).
    role: user.role && { id: String(user.role.id), name: user.role.name },
    createdAt: toWireInstant(user.createdAt),
  };
}

function toWireManager(manager: User): Wire["UserManager"] {
  const { email, ...names } = toWireNames(manager);
  return { id: manager.id, ...names, email };
}

function toWireNames({ person }: User) {
  const { email, firstName = null, lastName = null } = present(person);
  return { email, firstName, lastName, fullName: fullName(firstName, lastName) };
}
