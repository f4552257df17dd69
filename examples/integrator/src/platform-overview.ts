import type { InstanceIntegration, PlatformClient, Worker } from "gatehouse-sdk";
import type { Asked, Gateway } from "./gateway.ts";

const CONNECTIONS_MAX = 5;
const CLIENTS_WITH_WORKERS_MAX = 3;

export interface PlatformOverview {
  readonly connections: Asked<readonly InstanceIntegration[]>;
  readonly details: readonly ConnectionDetail[];
}
export interface ConnectionDetail {
  readonly connection: InstanceIntegration;
  /** The gateway answers 404 "not configured" for a connection whose set-up is not finished. */
  readonly clients: Asked<readonly PlatformClient[]>;
  readonly workers: readonly { readonly client: PlatformClient; readonly workers: Asked<readonly Worker[]> }[];
}

/** Asks the gateway from the top: our connections, the clients of each, the workers of the first few clients. A client is one company. */
export async function readPlatform(gateway: Gateway): Promise<PlatformOverview> {
  const connections = await gateway.ask((api) => api.listInstanceIntegrations());
  const details = (connections.value ?? []).slice(0, CONNECTIONS_MAX).map(async (connection) => {
    const instanceIntegrationId = connection.id;
    const clients = await gateway.ask((api) => api.listClients({ instanceIntegrationId }));
    const workers = (clients.value ?? []).slice(0, CLIENTS_WITH_WORKERS_MAX).map(async (client) => ({
      client,
      workers: await gateway.ask((api) => api.listWorkers({ instanceIntegrationId, clientId: client.id })),
    }));
    return { connection, clients, workers: await Promise.all(workers) };
  });
  return { connections, details: await Promise.all(details) };
}
