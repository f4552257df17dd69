import type { ListWorkersRequest, ListWorkersResponse } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { InstanceIntegrationRepository } from "../instance-integrations/instance-integration-repository.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { getReachableTenant } from "../tenants/reachable-tenant.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkerRepository } from "./worker-repository.ts";

export interface WorkersDeps {
  readonly connections: InstanceIntegrationRepository;
  readonly tenants: TenantRepository;
  readonly workers: WorkerRepository;
}

/**
 * Lists the workers of one tenant whose employment has not ended, oldest first; an empty array when it has none (R-G16).
 * @throws NOT_FOUND for the instance integration or the tenant (spec §7.4).
 */
export const listWorkers =
  (deps: WorkersDeps) =>
  async (request: ListWorkersRequest, { caller }: GatewayCall): Promise<ListWorkersResponse> => {
    const tenant = await getReachableTenant(deps, request, caller);
    return { workers: await deps.workers.listByTenant(tenant.id) };
  };
