import { setImmediate as nextTurn } from "node:timers/promises";
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
import { parseId, type WorkerId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import { cancelled } from "#runtime/rpc/call.ts";
import { missing, unknownReference } from "../failures.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { getReachableTenant } from "../integrations/reachable.ts";
import { type LimitedPage, type PageStart, readBatches, readBoundedPage, readPage, WHOLE_LIST } from "../page.ts";
import { readFields } from "../request-fields.ts";
import { batchesUnlessKnown, type Revised, unlessKnown } from "../revisions.ts";
import { getNamedTenant } from "../tenants/belonging.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import type { ShownWorker } from "./worker.ts";
import type { WorkerRepository } from "./worker-repository.ts";

const NO_WORKERS: Omit<ListWorkersResponse, keyof Revised> = { workers: [] };
const NO_PLACED_WORKERS: Omit<ListPlacedWorkersResponse, keyof Revised> = { workers: [], next: null };

interface WorkersDeps {
  readonly workers: WorkerRepository;
}

/**
 * Lists the workers of one tenant whose employment has not ended, oldest first, in batches; none when it has none (R-G16).
 * @throws NOT_FOUND for the instance integration or the tenant (spec §7.4).
 */
export const listWorkers = ({ workers }: WorkersDeps) =>
  async function* (request: ListWorkersRequest, { reach }: GatewayCall): AsyncIterable<ListWorkersResponse> {
    const tenant = getReachableTenant(reach);
    yield* batchesUnlessKnown(request, tenant.revision, NO_WORKERS, async function* () {
      const read = (page: LimitedPage<WorkerId>) => workers.list(tenant.id, page);
      for await (const { entries } of readBatches(WHOLE_LIST, read, (worker) => worker)) yield { workers: entries };
    });
  };

/**
 * Lists the workers of one tenant whose employment has not ended with the names of where they are placed, in pages when
 * asked (R-G6, R-G9).
 * @throws NOT_FOUND for the instance integration or the tenant; INVALID_ARGUMENT for the page.
 */
export const listPlacedWorkers = ({ workers }: WorkersDeps) =>
  async function* (
    request: ListPlacedWorkersRequest,
    { reach }: GatewayCall,
  ): AsyncIterable<ListPlacedWorkersResponse> {
    const asked = readPage(request, "worker");
    const tenant = getReachableTenant(reach);
    yield* batchesUnlessKnown(request, tenant.revision, NO_PLACED_WORKERS, async function* () {
      const read = (page: LimitedPage<WorkerId>) => workers.listShown(tenant.id, page);
      for await (const { entries, next } of readBatches(asked, read, ({ worker }) => worker))
        yield { workers: entries, next };
    });
  };

/**
 * Reads one worker of a tenant; an ended one too (R-G16).
 * @throws NOT_FOUND for the instance integration, the tenant or the worker.
 */
export const getPlacedWorker =
  ({ workers }: WorkersDeps) =>
  async (request: GetPlacedWorkerRequest, { reach }: GatewayCall): Promise<GetPlacedWorkerResponse> => {
    const tenant = getReachableTenant(reach);
    const id = parseId("worker", request.workerId);
    return unlessKnown(request, tenant.revision, { worker: null as ShownWorker | null }, async () => {
      const worker = id && (await workers.findShown(id, tenant.id));
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
  ({ workers }: WorkersDeps) =>
  async (request: ListJobTitlesRequest, { reach, signal }: GatewayCall): Promise<ListJobTitlesResponse> => {
    const tenant = getReachableTenant(reach);
    return unlessKnown(request, tenant.revision, { jobTitles: [] as string[] }, async () => {
      const titles = new Set<string>();
      for (let start: PageStart<WorkerId> | null = null; ; ) {
        const { combinations, next } = await workers.listJobTitles(tenant.id, start);
        for (const title of combinations.flat()) titles.add(title);
        if (next === null) break;
        start = next;
        // The embedded store answers at once: without this no other request gets its turn.
        await nextTurn();
        if (signal.aborted) throw cancelled();
      }
      return { jobTitles: [...titles].sort(byCodePoint) };
    });
  };

/** UTF-8 keeps the order of code points; JavaScript's own order is that of UTF-16. */
const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

interface WorkersOfTenantDeps {
  readonly tenants: TenantRepository;
  readonly workers: WorkerRepository;
}

/** Reads one worker, ended or not, but none of an erased tenant (R-X263). @throws NOT_FOUND (worker_not_found). */
export const readWorker =
  ({ tenants, workers }: WorkersOfTenantDeps) =>
  async (request: ReadWorkerRequest): Promise<ReadWorkerResponse> => {
    const id = readFields((fields) => fields.id("worker_id", "worker", request.workerId));
    const tenantId = await workers.tenantOf(id);
    const isThere = tenantId !== undefined && (await tenants.find(tenantId)) !== undefined;
    const found = isThere ? await workers.findPlaced(id, tenantId) : undefined;
    if (!found) throw unknownReference("worker", "worker_id", id);
    return { worker: found.worker };
  };

/** Lists workers of a tenant, a page at a time, oldest first. @throws NOT_FOUND (tenant_not_found); INVALID_ARGUMENT for the page. */
export const listWorkersOfTenant =
  ({ tenants, workers }: WorkersOfTenantDeps) =>
  async (request: ListWorkersOfTenantRequest): Promise<ListWorkersOfTenantResponse> => {
    const page = readBoundedPage(request, "worker");
    const { id: tenantId } = await getNamedTenant(tenants, request);
    const found = await workers.listPlaced(tenantId, page, { endedToo: request.includeEnded });
    const { entries, next } = cutPage(found, page, ({ worker }) => worker);
    return { workers: entries.map(({ worker }) => worker), next };
  };
