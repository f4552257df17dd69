import type {
  GetPlacedWorkerRequest,
  GetPlacedWorkerResponse,
  ListJobTitlesRequest,
  ListJobTitlesResponse,
  ListPlacedWorkersRequest,
  ListPlacedWorkersResponse,
  ListWorkersRequest,
  ListWorkersResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type {
  ListWorkersOfTenantRequest,
  ListWorkersOfTenantResponse,
  ReadWorkerRequest,
  ReadWorkerResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { InstanceIntegrationRepository } from "../instance-integrations/instance-integration-repository.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { cutPage, readPage } from "../page.ts";
import { missing, unknownReference } from "../refusals.ts";
import { readFields } from "../request-fields.ts";
import { type Revised, unlessKnown } from "../revised.ts";
import { getReachableTenant } from "../tenants/reachable-tenant.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { PlacedWorker, Worker } from "./worker.ts";
import type { WorkerRepository } from "./worker-repository.ts";

/** Workers of a list that is not asked for in pages of another size. */
const LISTED_MAX = 1_000;
const NO_WORKERS: Omit<ListPlacedWorkersResponse, keyof Revised> = { workers: [], next: null };

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
    return unlessKnown(request, tenant.revision, { workers: [] as Worker[] }, async () => ({
      workers: await deps.workers.listByTenant(tenant.id),
    }));
  };

/**
 * The same workers with the names of where they are placed, in pages when asked (R-G6, R-G9).
 * @throws NOT_FOUND for the instance integration or the tenant; INVALID_ARGUMENT for the page.
 */
export const listPlacedWorkers =
  (deps: WorkersDeps) =>
  async (request: ListPlacedWorkersRequest, { caller }: GatewayCall): Promise<ListPlacedWorkersResponse> => {
    const page = readPage(request, "worker");
    const tenant = await getReachableTenant(deps, request, caller);
    return unlessKnown(request, tenant.revision, NO_WORKERS, async () => {
      const found = await deps.workers.listPlaced(tenant.id, page);
      const { entries, next } = cutPage(found, page, ({ worker }) => worker);
      return { workers: entries, next };
    });
  };

/**
 * Reads one worker of a tenant; an ended one too (R-G16).
 * @throws NOT_FOUND for the instance integration, the tenant or the worker.
 */
export const getPlacedWorker =
  (deps: WorkersDeps) =>
  async (request: GetPlacedWorkerRequest, { caller }: GatewayCall): Promise<GetPlacedWorkerResponse> => {
    const tenant = await getReachableTenant(deps, request, caller);
    const id = parseId("worker", request.workerId);
    return unlessKnown(request, tenant.revision, { worker: null as PlacedWorker | null }, async () => {
      const worker = id && (await deps.workers.findPlaced(id, tenant.id));
      if (!worker) throw missing("worker_not_found");
      return { worker };
    });
  };

/**
 * Lists the job titles of a tenant's workers, those of ended ones left out: each once, by code point, so that the order is the same on
 * every database.
 * @throws NOT_FOUND for the instance integration or the tenant (spec §7.4).
 */
export const listJobTitles =
  (deps: WorkersDeps) =>
  async (request: ListJobTitlesRequest, { caller }: GatewayCall): Promise<ListJobTitlesResponse> => {
    const tenant = await getReachableTenant(deps, request, caller);
    return unlessKnown(request, tenant.revision, { jobTitles: [] as string[] }, async () => {
      const titles = new Set((await deps.workers.listJobTitles(tenant.id)).flat());
      return { jobTitles: [...titles].sort(byCodePoint) };
    });
  };

/** Reads one worker, ended or not. @throws NOT_FOUND (worker_not_found). */
export const readWorker =
  ({ workers }: WorkersDeps) =>
  async (request: ReadWorkerRequest): Promise<ReadWorkerResponse> => {
    const id = readFields((fields) => fields.id("worker_id", "worker", request.workerId));
    const tenantId = await workers.tenantOf(id);
    const placed = tenantId && (await workers.findPlaced(id, tenantId));
    if (!placed) throw unknownReference("worker", "worker_id", id);
    return { worker: placed.worker };
  };

/** Lists workers of a tenant, a page at a time, oldest first. @throws NOT_FOUND (tenant_not_found); INVALID_ARGUMENT for the page. */
export const listWorkersOfTenant =
  ({ tenants, workers }: WorkersDeps) =>
  async (request: ListWorkersOfTenantRequest): Promise<ListWorkersOfTenantResponse> => {
    const tenantId = readFields((fields) => fields.id("tenant_id", "tenant", request.tenantId));
    const page = readPage({ ...request, limit: request.limit ?? LISTED_MAX }, "worker");
    if (!(await tenants.find(tenantId))) throw unknownReference("tenant", "tenant_id", tenantId);
    const found = await (request.includeEnded
      ? workers.listEverPlaced(tenantId, page)
      : workers.listPlaced(tenantId, page));
    const { entries, next } = cutPage(found, page, ({ worker }) => worker);
    return { workers: entries.map(({ worker }) => worker), next };
  };

/** UTF-8 keeps the order of code points; JavaScript's own order is that of UTF-16. */
const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
