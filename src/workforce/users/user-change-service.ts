import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { UserId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { unknownReference } from "../failures.ts";
import type { EmitSeatsChanged } from "../people/changed-person-service.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkforceChange } from "../writes-service.ts";
import type { User } from "./user.ts";
import { userRepository } from "./user-repository.ts";
import { userUpdated } from "./user-wire.ts";

/** A user, and the tenant that is locked for what is about to be done to it. */
interface LockedUser {
  readonly user: User;
  readonly tenant: Tenant;
}

/** Locks the tenant of a user, and reads the user. @throws NOT_FOUND (user_not_found). */
export async function lockUser(db: Database<WorkforceTables>, id: UserId): Promise<LockedUser> {
  const tenant = await tenantRepository(db).lockTenantOf(id);
  const user = tenant && (await userRepository(db).findInTenant(id, tenant.id));
  if (!user) throw unknownReference("user", "user_id", id);
  return { user, tenant };
}

/**
 * Locks the tenant of a user, and reads the user, for an assignment.
 * @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (user_status) when the user is DELETED, which is final (R-G17).
 */
export async function lockLastingUser(db: Database<WorkforceTables>, id: UserId): Promise<LockedUser> {
  const locked = await lockUser(db, id);
  if (locked.user.status === "DELETED")
    throw failedPrecondition(
      "user_status",
      "The user is deleted for good, with the manager and the role that it had last. Invite the same e-mail address again to make a new user.",
    );
  return locked;
}

/** Emits user.updated; the manager is shown as they are now. The tenant is locked. */
export async function emitUserUpdated(
  { db, emit }: WorkforceChange,
  user: User,
  { instanceId }: Pick<Tenant, "instanceId">,
): Promise<void> {
  await emit(userUpdated(user, await userRepository(db).findManager(user), instanceId));
}

/** Events that one statement appends. */
const REPORTS_AT_ONCE = 500;

/**
 * Emits user.updated for users of the tenant who have just lost their manager, many with one statement: by default the
 * oldest Owner manages everybody (R-G17), and each statement is a way to the database and back.
 */
export async function emitManagerCleared(
  { emit }: WorkforceChange,
  reports: readonly User[],
  { instanceId }: Pick<Tenant, "instanceId">,
): Promise<void> {
  for (let from = 0; from < reports.length; from += REPORTS_AT_ONCE) {
    const some = reports.slice(from, from + REPORTS_AT_ONCE);
    await emit(...some.map((report) => userUpdated({ ...report, managerId: null }, undefined, instanceId)));
  }
}

/** Emits one user.updated for the person's user in the tenant that is not DELETED, if there is one (R-D2). */
export const emitUsersChanged: EmitSeatsChanged = async (change, personId, tenant) => {
  // Read under the tenant's lock: a user may have been disabled or deleted while the change waited for it.
  const user = await userRepository(change.db).findOfPerson(personId, tenant.id);
  if (user) await emitUserUpdated(change, user, tenant);
};
