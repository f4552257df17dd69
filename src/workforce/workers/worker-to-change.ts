import type { WorkerId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../refusals.ts";
import { findAndLock } from "../tenants/belonging.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkerInPlace } from "./worker.ts";
import type { WorkerRepository } from "./worker-repository.ts";

/** A worker as it is before a change, with its tenant locked. @throws NOT_FOUND (worker_not_found). */
export async function getWorkerToChange(
  tenants: TenantRepository,
  { tenantOf, findPlaced }: WorkerRepository,
  id: WorkerId,
): Promise<{ readonly tenant: Tenant; readonly before: WorkerInPlace }> {
  const found = await findAndLock(tenants, { tenantOf, find: findPlaced }, id);
  if (!found) throw unknownReference("worker", "worker_id", id);
  return { tenant: found.tenant, before: found.one };
}
