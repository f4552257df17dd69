import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import { type PersonRow, toPerson } from "../people/person-row.ts";
import type { Flag } from "../tables.ts";
import type { ManagedUser, User } from "./user.ts";
import type { UserStatus } from "./user-status.ts";

/** The columns of a user as they are read, besides those of the person. */
export const USER_COLUMNS = [
  "workforce_users.id",
  "workforce_users.tenant_id",
  "workforce_users.status",
  "workforce_users.manager_id",
  "workforce_users.created_at",
  "workforce_access_roles.id as role_id",
  "workforce_access_roles.name as role_name",
] as const;

/** A row that was read with USER_COLUMNS and PERSON_COLUMNS. */
interface UserRow extends PersonRow {
  readonly id: UserId;
  readonly tenant_id: TenantId;
  readonly status: UserStatus;
  readonly manager_id: UserId | null;
  readonly created_at: number;
  readonly role_id: number | null;
  readonly role_name: string | null;
}

export const toUser = (row: UserRow): User => ({
  id: row.id,
  tenantId: row.tenant_id,
  person: toPerson(row),
  status: row.status,
  managerId: row.manager_id,
  role: row.role_id === null || row.role_name === null ? null : { id: row.role_id, name: row.role_name },
  createdAt: new Date(row.created_at),
});

export const toUserRow = (user: User) => ({
  id: user.id,
  tenant_id: user.tenantId,
  person_id: user.person.id,
  status: user.status,
  manager_id: user.managerId,
  access_role_id: user.role?.id ?? null,
  created_at: user.createdAt.getTime(),
});

interface ManagedRow extends UserRow {
  /** 0 for a user that is there only as the manager of another. */
  readonly is_asked: Flag;
}

/** The users that were asked for, each with who manages it: one read has both. */
export function toManagedUsers(rows: readonly ManagedRow[]): ManagedUser[] {
  const byId = new Map(rows.map((row) => [row.id, toUser(row)]));
  const asked = rows.filter(({ is_asked }) => is_asked === 1);
  return asked.map((row) => ({
    user: byId.get(row.id) ?? toUser(row),
    manager: row.manager_id === null ? undefined : byId.get(row.manager_id),
  }));
}
