import { operations } from "#generated/operations/gateway.ts";
import type { InstanceId, TenantId } from "#runtime/basis/ids.ts";
import { fillPath } from "../wire.ts";

/** What the events of types, units and locations have in common: they link to the tenant's organization structure (R-E1). */
export const inStructure = (tenantId: TenantId, instanceId: InstanceId) => ({
  instanceId,
  tenantId,
  selfPath: fillPath(operations.getOrganizationStructure.path, { clientId: tenantId }),
});
