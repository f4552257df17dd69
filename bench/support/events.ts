import { type Peers, present, type World } from "./world.ts";

/** Subscribes the endpoint to new tenants of the world's instance, the event of the benchmarks. */
export const subscribeToTenants = ({ webhooks }: Peers, world: World, label: string, endpointUrl: string) =>
  webhooks.createSubscription({
    label,
    instanceIntegrationId: world.instanceIntegrationId,
    endpointUrl,
    eventTypes: ["client.created"],
    tenantIds: [],
  });

/** Makes one event: creates a tenant and returns its id. */
export async function emitTenant({ platform }: Peers, { instanceId }: World, name = "Tenant"): Promise<string> {
  return present((await platform.createTenant({ requestId: "", instanceId, name, address: null })).tenant).id;
}
