import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInstallation } from "../harness/installation.ts";
import { addWorkers } from "./support/crowd.ts";
import { benchWorld, connectPeers, present } from "./support/world.ts";

/** Data for the benchmarks of the gateway: clients of several sizes, below one instance integration. */
export interface GatewayWorld {
  /** Directory of the store; the caller removes it at the end. */
  readonly directory: string;
  readonly apiKey: string;
  /** Path of the list of workers of the client with this many workers. */
  path(rows: number, version?: "v1" | "v2"): string;
  tenantId(rows: number): string;
}

/** Makes an installation with a client for each size, fills them, and stops it. */
export async function gatewayWorld(sizes: readonly number[]): Promise<GatewayWorld> {
  const directory = mkdtempSync(join(tmpdir(), "gh-bench-"));
  const installation = await startInstallation(directory, true);
  const peers = connectPeers(installation.socketDirectory);
  const { instanceId, instanceIntegrationId, apiKey } = await benchWorld(peers);
  const tenants = new Map<number, string>();
  for (const size of sizes) {
    const request = { requestId: "", instanceId, name: `Bakery of ${size}`, address: null };
    tenants.set(size, present((await peers.platform.createTenant(request)).tenant).id);
  }
  await peers.close();
  await installation.stop();
  for (const [size, tenantId] of tenants) addWorkers(directory, tenantId, size);
  const tenantId = (rows: number) => tenants.get(rows) ?? "";
  return {
    directory,
    apiKey,
    tenantId,
    path: (rows, version = "v1") =>
      `/${version}/instance-integrations/${instanceIntegrationId}/clients/${tenantId(rows)}/workers`,
  };
}
