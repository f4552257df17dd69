import type { Change } from "#runtime/changes/change.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { User } from "./user.ts";
import { userUpdated } from "./user-event-wire.ts";
import { userRepository } from "./user-repository.ts";

/** Emits user.updated; the manager is shown as they are now. The tenant is locked. */
export async function tellUserUpdated(
  { db, emit }: Change<WorkforceTables>,
  user: User,
  { instanceId }: Tenant,
): Promise<void> {
  await emit(userUpdated(user, await userRepository(db).findManager(user), instanceId));
}
