import type { Gateway, GatewayAnswer } from "./gateway.ts";

const CONNECTIONS_MAX = 5;
const CLIENTS_WITH_WORKERS_MAX = 3;

/** The parts of the contract's schemas that we use. A client here is one company on the platform. */
export interface InstanceIntegration {
  readonly id: string;
  readonly applicationInstance: { readonly id: string; readonly instanceName: string };
}
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly location: Location;
}
export interface Worker {
  readonly id: string;
  readonly fullName: string;
  readonly email: string;
  readonly jobTitles: readonly string[];
  readonly location: Location;
}
export interface Location {
  readonly city: string | null;
  readonly isoCountryCode: string | null;
}

/** An answer and, when it is what the contract promises, its list. */
export interface Listing<Item> {
  readonly answer: GatewayAnswer;
  readonly items?: readonly Item[];
}
export interface PlatformOverview {
  readonly connections: Listing<InstanceIntegration>;
  readonly details: readonly ConnectionDetail[];
}
export interface ConnectionDetail {
  readonly connection: InstanceIntegration;
  /** The gateway answers 404 "not configured" for a connection whose set-up is not finished. */
  readonly clients: Listing<Client>;
  readonly workers: readonly { readonly client: Client; readonly workers: Listing<Worker> }[];
}

/** Asks the gateway from the top: our connections, the clients of each, the workers of the first few clients. */
export async function readPlatform(gateway: Gateway): Promise<PlatformOverview> {
  const connections = await list<InstanceIntegration>(gateway, "/v1/instance-integrations");
  const details = (connections.items ?? []).slice(0, CONNECTIONS_MAX).map(async (connection) => {
    const base = `/v1/instance-integrations/${encodeURIComponent(connection.id)}/clients`;
    const clients = await list<Client>(gateway, base);
    const workers = (clients.items ?? []).slice(0, CLIENTS_WITH_WORKERS_MAX).map(async (client) => ({
      client,
      workers: await list<Worker>(gateway, `${base}/${encodeURIComponent(client.id)}/workers`),
    }));
    return { connection, clients, workers: await Promise.all(workers) };
  });
  return { connections, details: await Promise.all(details) };
}

async function list<Item>(gateway: Gateway, path: string): Promise<Listing<Item>> {
  const answer = await gateway.get(path);
  return answer.status === 200 && Array.isArray(answer.body) ? { answer, items: answer.body as Item[] } : { answer };
}
