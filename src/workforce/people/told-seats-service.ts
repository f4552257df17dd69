import type { PersonId } from "#runtime/basis/ids.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { WorkforceTables } from "../tables.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { tellUserUpdated } from "../users/updated-user-service.ts";
import { userRepository } from "../users/user-repository.ts";
import { workerUpdated } from "../workers/worker-event-wire.ts";
import { workerRepository } from "../workers/worker-repository.ts";
import { seatRepository } from "./seat-repository.ts";

/**
 * Tells wherever a person has a seat that e-mail address or names have changed: one user.updated per user that is not DELETED, one
 * worker.updated per worker, ended or not (R-D2). The revision of each tenant rises once: deleted users and reports of the person show it
 * too. To be called once the change is written, with the person and its tenants locked; a tenant that has become one of them since is
 * locked here.
 */
export async function tellSeats(change: Change<WorkforceTables>, personId: PersonId): Promise<void> {
  const { db, emit } = change;
  const [tenants, users, workers] = [tenantRepository(db), userRepository(db), workerRepository(db)];
  for (const tenantId of await seatRepository(db).listTenants(personId)) {
    const tenant = await tenants.lock(tenantId);
    if (!tenant) throw new Error("A tenant of a seat is not there.");
    // Read under the tenant's lock: a user may have been disabled or deleted while we waited for it.
    for (const user of await users.listOfPerson(personId, tenantId))
      if (user.status !== "DELETED") await tellUserUpdated(change, user, tenant);
    for (const worker of await workers.listPlacedOfPerson(personId, tenantId))
      await emit(workerUpdated(worker, tenant.instanceId));
    await tenants.raiseRevision(tenantId);
  }
}
