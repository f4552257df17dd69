import type {
  GetTenantRequest,
  GetTenantResponse,
  ListTenantsRequest,
  ListTenantsResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import {
  CreateTenantRequest,
  CreateTenantResponse,
  type ListTenantsOfInstanceRequest,
  type ListTenantsOfInstanceResponse,
  type ReadTenantRequest,
  type ReadTenantResponse,
  UpdateTenantRequest,
  UpdateTenantResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newTimedId, type TenantId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { missing, unknownReference } from "../failures.ts";
import type { InstanceRepository } from "../instances/instance-repository.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { getReachableInstance, getReachableTenant } from "../integrations/reachable.ts";
import { type LimitedPage, readBatches, readBoundedPage, WHOLE_LIST } from "../page.ts";
import { ADDRESS_PATHS, addressAfter, namedParts } from "../postal-address.ts";
import { LENGTHS, readFields, readWrite } from "../request-fields.ts";
import { batchesUnlessKnown, isSame, unlessKnown } from "../revisions.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { getAndLock, getNamedTenant } from "./belonging.ts";
import type { Tenant } from "./tenant.ts";
import { type TenantRepository, tenantRepository } from "./tenant-repository.ts";
import { clientCreated } from "./tenant-wire.ts";

interface TenantsDeps {
  readonly instances: InstanceRepository;
  readonly tenants: TenantRepository;
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

/**
 * Lists the tenants of the connected instance, oldest first, in batches; none when it has none.
 * @throws NOT_FOUND for the instance integration (spec §7.4, R-G5).
 */
export const listTenants = (deps: TenantsDeps) =>
  async function* (request: ListTenantsRequest, { reach }: GatewayCall): AsyncIterable<ListTenantsResponse> {
    const { instanceId, revision } = getReachableInstance(reach);
    yield* batchesUnlessKnown(request, revision, { tenants: [] as Tenant[] }, async function* () {
      const read = (page: LimitedPage<TenantId>) => deps.tenants.listPage(instanceId, page);
      for await (const { entries } of readBatches(WHOLE_LIST, read, (tenant) => tenant)) yield { tenants: entries };
    });
  };

/** @throws NOT_FOUND for the instance integration or the tenant (R-G8). */
export const getTenant =
  (deps: TenantsDeps) =>
  async (request: GetTenantRequest, { reach }: GatewayCall): Promise<GetTenantResponse> => {
    const { id, revision } = getReachableTenant(reach);
    return unlessKnown(request, revision, { tenant: null as Tenant | null }, async () => {
      const tenant = await deps.tenants.find(id);
      if (!tenant) throw missing("tenant_not_found");
      return { tenant };
    });
  };

/**
 * Creates a tenant with its standard roles and emits client.created (spec §6.1).
 * @throws NOT_FOUND (instance_not_found).
 */
export const createTenant =
  ({ changes, instances, random }: TenantsDeps) =>
  async (request: CreateTenantRequest, call: Call): Promise<CreateTenantResponse> => {
    const { instanceId, name, address } = readWrite(request, (fields) => ({
      instanceId: fields.id("instance_id", "instance", request.instanceId),
      name: fields.text("name", request.name, LENGTHS.name),
      address: fields.address("address", request.address),
    }));
    return changes.run(
      async ({ db, at, emit, wrote }) => {
        if (!(await instances.find(instanceId, db))) throw unknownReference("instance", "instance_id", instanceId);
        const tenant: Tenant = { id: newTimedId("tenant", at, random), instanceId, name, address, createdAt: at };
        await tenantRepository(db).createAll([tenant]);
        await emit(clientCreated(tenant));
        const written = { actor: call.actor, object: tenant.id, facts: { instanceId }, instances: [instanceId] };
        return wrote("tenant.create", written, { tenant });
      },
      repeatable(request, call, CreateTenantRequest, CreateTenantResponse),
    );
  };

/**
 * Changes what a tenant is called and where it is; the list of the instance's tenants shows both (R-G10). Emits nothing: no such event is
 * specified.
 * @throws NOT_FOUND (tenant_not_found).
 */
export const updateTenant =
  ({ changes }: TenantsDeps) =>
  async (request: UpdateTenantRequest, call: Call): Promise<UpdateTenantResponse> => {
    const { tenantId, mask, name, address } = readWrite(request, (fields) => {
      const mask = fields.mask(request.updateMask, ["name", ...ADDRESS_PATHS]);
      return {
        tenantId: fields.id("tenant_id", "tenant", request.tenantId),
        mask,
        name: mask.has("name") ? fields.text("name", request.name, LENGTHS.name) : null,
        address: fields.address("address", namedParts(request.address, mask)),
      };
    });
    return changes.run(
      async ({ db, unchanged, wrote }) => {
        const tenants = tenantRepository(db);
        const before = await getAndLock(tenants, tenantId);
        const details = { name: name ?? before.name, address: addressAfter(before.address, address, mask) };
        const tenant: Tenant = { ...before, ...details };
        if (isSame(tenant, before)) return unchanged({ tenant });
        await tenants.replaceDetails(tenantId, details);
        const facts = { fields: [...mask].join(" ") };
        const shownBy = { tenants: [tenantId], instances: [tenant.instanceId] };
        return wrote("tenant.update", { actor: call.actor, object: tenantId, facts, ...shownBy }, { tenant });
      },
      repeatable(request, call, UpdateTenantRequest, UpdateTenantResponse),
    );
  };

/** @throws NOT_FOUND (tenant_not_found). */
export const readTenant =
  ({ tenants }: TenantsDeps) =>
  async (request: ReadTenantRequest): Promise<ReadTenantResponse> => ({
    tenant: await getNamedTenant(tenants, request),
  });

/** Lists the tenants of an instance by creation time, then id, a page at a time. @throws NOT_FOUND (instance_not_found). */
export const listTenantsOfInstance =
  ({ instances, tenants }: TenantsDeps) =>
  async (request: ListTenantsOfInstanceRequest): Promise<ListTenantsOfInstanceResponse> => {
    const page = readBoundedPage(request, "tenant");
    const { instanceId } = readFields((fields) => ({
      instanceId: fields.id("instance_id", "instance", request.instanceId),
    }));
    if (!(await instances.find(instanceId))) throw unknownReference("instance", "instance_id", instanceId);
    const { entries, next } = cutPage(await tenants.listPage(instanceId, page), page, (tenant) => tenant);
    return { tenants: entries, next };
  };
