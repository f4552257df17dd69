import type {
  ListWorkersOfTenantRequest,
  ListWorkersOfTenantResponse,
  ReadWorkerRequest,
  ReadWorkerResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { cutPage, readBoundedPage } from "../page.ts";
import { unknownReference } from "../refusals.ts";
import { readFields } from "../request-fields.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkerRepository } from "./worker-repository.ts";

export interface WorkersOfTenantDeps {
  readonly tenants: TenantRepository;
  readonly workers: WorkerRepository;
}

/** Reads one worker, ended or not. @throws NOT_FOUND (worker_not_found). */
export const readWorker =
  ({ workers }: WorkersOfTenantDeps) =>
  async (request: ReadWorkerRequest): Promise<ReadWorkerResponse> => {
    const id = readFields((fields) => fields.id("worker_id", "worker", request.workerId));
    const tenantId = await workers.tenantOf(id);
    const found = tenantId && (await workers.findPlaced(id, tenantId));
    if (!found) throw unknownReference("worker", "worker_id", id);
    return { worker: found.worker };
  };

/** Lists workers of a tenant, a page at a time, oldest first. @throws NOT_FOUND (tenant_not_found); INVALID_ARGUMENT for the page. */
export const listWorkersOfTenant =
  ({ tenants, workers }: WorkersOfTenantDeps) =>
  async (request: ListWorkersOfTenantRequest): Promise<ListWorkersOfTenantResponse> => {
    const page = readBoundedPage(request, "worker");
    const tenantId = readFields((fields) => fields.id("tenant_id", "tenant", request.tenantId));
    if (!(await tenants.find(tenantId))) throw unknownReference("tenant", "tenant_id", tenantId);
    const found = await workers.listPlaced(tenantId, page, { endedToo: request.includeEnded });
    const { entries, next } = cutPage(found, page, ({ worker }) => worker);
    return { workers: entries.map(({ worker }) => worker), next };
  };
