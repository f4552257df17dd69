import type { TenantId, UserId, WorkerId } from "#runtime/basis/ids.ts";
import type { UserStatus } from "../users/user-status.ts";

/** What a person has on one instance, each oldest first. */
export interface Seats {
  /** Users that are not DELETED. */
  readonly users: readonly { readonly id: UserId; readonly tenantId: TenantId; readonly status: UserStatus }[];
  /** Workers that are not ended. */
  readonly workers: readonly { readonly id: WorkerId; readonly tenantId: TenantId }[];
}
