import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../failures.ts";
import type { User } from "./user.ts";
import type { UserRepository } from "./user-repository.ts";

/** Who manages a user that is being invited: the inviting user when of that tenant, else the tenant's oldest ACTIVE Owner (R-G17). */
export function defaultManager(
  tenantId: TenantId,
  inviter: Pick<User, "id" | "tenantId" | "status"> | undefined,
  oldestActiveOwner: UserId | undefined,
): UserId | null {
  // A deleted user manages no other: deleting one clears it everywhere.
  if (inviter?.tenantId === tenantId && inviter.status !== "DELETED") return inviter.id;
  return oldestActiveOwner ?? null;
}

/**
 * A user's manager is another user of the same tenant that is not DELETED, and that the user does not manage, directly or through others
 * (R-G17). To be called with the tenant locked, so that no other assignment closes a circle meanwhile.
 * @throws NOT_FOUND (user_not_found); FAILED_PRECONDITION (manager_not_eligible, manager_cycle).
 */
export async function assertCanManage(users: UserRepository, managerId: UserId, user: User): Promise<void> {
  const manager = await users.find(managerId);
  if (!manager) throw unknownReference("user", "manager_id", managerId);
  if (manager.tenantId !== user.tenantId)
    throw failedPrecondition("manager_not_eligible", "A manager is a user of the same tenant. Name one of them.");
  if (manager.status === "DELETED")
    throw failedPrecondition("manager_not_eligible", "A deleted user cannot be a manager. Name another one.");
  if (manager.id === user.id)
    throw failedPrecondition("manager_cycle", "Nobody is their own manager. Name another user.");
  if (await users.isManagedBy(managerId, user.id))
    throw failedPrecondition(
      "manager_cycle",
      "This user manages the other one, directly or through others. Give that one another manager first.",
    );
}
