import { parseId } from "#runtime/basis/ids.ts";
import { missing } from "../failures.ts";
import type { Caller } from "../integrations/caller.ts";
import type { ReachableInstance, ReachableTenant } from "./tenant.ts";
import type { TenantRepository } from "./tenant-repository.ts";

/**
 * The instance behind an instance integration of the caller's.
 * @throws NOT_FOUND "Instance integration not found", a foreign one included, or "… not configured" (spec §7.4, R-G3, R-G5).
 */
export async function getReachableInstance(
  { tenants }: { readonly tenants: TenantRepository },
  request: { readonly instanceIntegrationId: string },
  { integrationId }: Caller,
): Promise<ReachableInstance> {
  const instanceIntegrationId = parseId("instanceIntegration", request.instanceIntegrationId);
  const found =
    instanceIntegrationId && (await tenants.findReachableInstance({ instanceIntegrationId, integrationId }));
  if (!found) throw missing("instance_integration_not_found");
  if (!found.configured) throw missing("instance_integration_not_configured");
  return found;
}

/**
 * The tenant of the connected instance, if the caller may see it.
 * @throws NOT_FOUND "Instance integration not found", a foreign one included, or "… not configured", or for the tenant, in this order
 * (spec §7.4, R-G3, R-G5).
 */
export async function getReachableTenant(
  { tenants }: { readonly tenants: TenantRepository },
  request: { readonly instanceIntegrationId: string; readonly tenantId: string },
  { integrationId }: Caller,
): Promise<ReachableTenant> {
  const instanceIntegrationId = parseId("instanceIntegration", request.instanceIntegrationId);
  const tenantId = parseId("tenant", request.tenantId) ?? null;
  const found =
    instanceIntegrationId && (await tenants.findReachable({ instanceIntegrationId, integrationId, tenantId }));
  if (!found) throw missing("instance_integration_not_found");
  if (!found.configured) throw missing("instance_integration_not_configured");
  if (!found.tenant) throw missing("tenant_not_found");
  return found.tenant;
}
