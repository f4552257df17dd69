import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import type { User } from "./user.ts";

/** Who manages a user that is being invited: the inviting user when of that tenant, else the tenant's oldest ACTIVE Owner (R-G17). */
export function defaultManager(
  tenantId: TenantId,
  inviter: Pick<User, "id" | "tenantId" | "status"> | undefined,
  oldestActiveOwner: UserId | undefined,
): UserId | null {
  // A deleted user is nobody's manager: deleting one clears it everywhere.
  if (inviter?.tenantId === tenantId && inviter.status !== "DELETED") return inviter.id;
  return oldestActiveOwner ?? null;
}
