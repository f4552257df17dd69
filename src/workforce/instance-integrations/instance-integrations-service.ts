import type {
  GetInstanceIntegrationRequest,
  GetInstanceIntegrationResponse,
  ListForeignRequest,
  ListForeignResponse,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type {
  ListInstanceIntegrationsRequest,
  ListInstanceIntegrationsResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import {
  ConnectIntegrationRequest,
  ConnectIntegrationResponse,
  type ListIntegrationsRequest,
  type ListIntegrationsResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { alreadyExists } from "#runtime/basis/errors.ts";
import { type IntegrationId, newId, parseId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { missing, unknownReference } from "../failures.ts";
import { instanceRepository } from "../instances/instance-repository.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { type IntegrationRepository, integrationRepository } from "../integrations/integration-repository.ts";
import { readBoundedPage } from "../page.ts";
import { readWrite } from "../request-fields.ts";
import { unlessKnown } from "../revisions.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { setConfigured } from "./connection-state-service.ts";
import {
  type InstanceIntegration,
  type InstanceIntegrationRepository,
  instanceIntegrationRepository,
} from "./instance-integration-repository.ts";

interface InstanceIntegrationsDeps {
  readonly connections: InstanceIntegrationRepository;
  readonly integrations: IntegrationRepository;
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

/** Lists the caller's instance integrations, oldest first, those not configured included (R-G5). */
export const listInstanceIntegrations =
  ({ connections }: InstanceIntegrationsDeps) =>
  async (
    request: ListInstanceIntegrationsRequest,
    { caller, reach }: GatewayCall,
  ): Promise<ListInstanceIntegrationsResponse> => {
    const none = { instanceIntegrations: [] as InstanceIntegration[] };
    return unlessKnown(request, reach.integrationRevision, none, async () => ({
      instanceIntegrations: await connections.listOf([caller.integrationId]),
    }));
  };

/**
 * For webhooks, when a subscription is made (R-E14) or narrowed to tenants (R-X354).
 * @throws NOT_FOUND (instance_integration_not_found).
 */
export const getInstanceIntegration =
  ({ connections, tenants }: Pick<InstanceIntegrationsDeps, "connections"> & { readonly tenants: TenantRepository }) =>
  async ({
    instanceIntegrationId,
    tenantIds,
  }: GetInstanceIntegrationRequest): Promise<GetInstanceIntegrationResponse> => {
    const id = parseId("instanceIntegration", instanceIntegrationId);
    const found = id && (await connections.find(id));
    if (!found) throw missing("instance_integration_not_found");
    const { integrationId, instance, configured } = found;
    const unknownTenantIds = tenantIds.length === 0 ? [] : await tenants.listUnknown(instance.id, tenantIds);
    return { instanceIntegrationId: found.id, integrationId, instanceId: instance.id, configured, unknownTenantIds };
  };

/** For webhooks: which ids of a filter are not of the integration's own (R-X298). */
export const listForeign =
  ({ connections, tenants }: Pick<InstanceIntegrationsDeps, "connections"> & { readonly tenants: TenantRepository }) =>
  async ({
    integrationId,
    formerInstanceIds,
    tenantIds,
    instanceIntegrationIds,
  }: ListForeignRequest): Promise<ListForeignResponse> => {
    const own = await connections.listOf([integrationId as IntegrationId]);
    const ownIds = new Set<string>(own.map(({ id }) => id));
    const instanceIds = [...own.map(({ instance }) => instance.id), ...formerInstanceIds];
    return {
      tenantIds: tenantIds.length === 0 ? [] : await tenants.listForeign(instanceIds, tenantIds),
      instanceIntegrationIds: instanceIntegrationIds.filter((id) => !ownIds.has(id)),
    };
  };

/** Lists all integrations with their connections by creation time, then id, a page at a time. */
export const listIntegrations =
  ({ connections, integrations }: InstanceIntegrationsDeps) =>
  async (request: ListIntegrationsRequest): Promise<ListIntegrationsResponse> => {
    const page = readBoundedPage(request, "integration");
    const { entries, next } = cutPage(await integrations.listPage(page), page, (integration) => integration);
    const ofPage = await connections.listOf(entries.map(({ id }) => id));
    const byIntegration = Map.groupBy(ofPage, ({ integrationId }) => integrationId);
    return {
      integrations: entries.map((integration) => ({
        integration,
        instanceIntegrations: byIntegration.get(integration.id) ?? [],
      })),
      next,
    };
  };

/**
 * Connects an integration with an instance; a connection that is there and not configured yet becomes configured (R-G5).
 * @throws NOT_FOUND (integration_not_found, instance_not_found); ALREADY_EXISTS (instance_integration_exists).
 */
export const connectIntegration =
  ({ changes, random }: InstanceIntegrationsDeps) =>
  async (request: ConnectIntegrationRequest, call: Call): Promise<ConnectIntegrationResponse> => {
    const { integrationId, instanceId } = readWrite(request, (fields) => ({
      integrationId: fields.id("integration_id", "integration", request.integrationId),
      instanceId: fields.id("instance_id", "instance", request.instanceId),
    }));
    return changes.run(
      async (change) => {
        const { db, at, wrote } = change;
        const connections = instanceIntegrationRepository(db);
        // First, as a change of its name does: the foreign key of the new row would lock it after the integration (R-X408).
        const instance = await instanceRepository(db).lock(instanceId);
        if (!(await integrationRepository(db).lock(integrationId)))
          throw unknownReference("integration", "integration_id", integrationId);
        if (!instance) throw unknownReference("instance", "instance_id", instanceId);
        const { configured } = request;
        const present = await connections.findBetween(integrationId, instanceId);
        if (present !== undefined) {
          if (present.configured || !configured)
            throw alreadyExists(
              "instance_integration_exists",
              "The integration is connected with this instance already.",
            );
          return setConfigured(change, call, present, configured);
        }
        const id = newId("instanceIntegration", random);
        const made: InstanceIntegration = { id, integrationId, instance, configured, createdAt: at, updatedAt: at };
        await connections.create(made);
        const facts = { integrationId, instanceId, configured };
        const written = { actor: call.actor, object: id, facts, integrations: [integrationId] };
        return wrote("instanceIntegration.create", written, { instanceIntegration: made });
      },
      repeatable(request, call, ConnectIntegrationRequest, ConnectIntegrationResponse),
    );
  };
