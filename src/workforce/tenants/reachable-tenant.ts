import { parseId } from "#runtime/basis/ids.ts";
import { getConnection } from "../instance-integrations/connection.ts";
import type { InstanceIntegrationRepository } from "../instance-integrations/instance-integration-repository.ts";
import type { Caller } from "../integrations/caller.ts";
import { missing } from "../refusals.ts";
import type { RevisedTenant } from "./tenant.ts";
import type { TenantRepository } from "./tenant-repository.ts";

interface ReachDeps {
  readonly connections: InstanceIntegrationRepository;
  readonly tenants: TenantRepository;
}

/**
 * The tenant of the connected instance, if the caller may see it.
 * @throws NOT_FOUND for the instance integration or the tenant, in this order (spec §7.4, R-G3, R-G5).
 */
export async function getReachableTenant(
  deps: ReachDeps,
  request: { readonly instanceIntegrationId: string; readonly tenantId: string },
  caller: Caller,
): Promise<RevisedTenant> {
  const connection = await getConnection(deps, request.instanceIntegrationId, caller);
  const id = parseId("tenant", request.tenantId);
  const tenant = id && (await deps.tenants.findInInstance(id, connection.instanceId));
  if (!tenant) throw missing("tenant_not_found");
  return tenant;
}
