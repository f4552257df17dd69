import { rm } from "node:fs/promises";
import { readConfig } from "../../src/config.ts";
import { startAll } from "../../src/roles/all.ts";
import { ROLES } from "../../src/runtime/process/roles.ts";
import { freePort } from "./free-port.ts";
import { newStoreFolder } from "./memory.ts";
import type { Closer } from "./scope.ts";
import { connectPeers, type Peers } from "./world.ts";

/** How the roles of the one process call each other. */
export type Carriage = "in process" | "in process, encoded" | "socket";

export interface GatehouseOptions {
  /** `in process` unless given. */
  readonly carriage?: Carriage;
  /** PostgreSQL URL; the embedded store without one. */
  readonly storeUrl?: string;
  /** Further settings. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Kept when given, and not removed; otherwise a new one. */
  readonly dataDirectory?: string;
}

/** The whole product in this process, on ports and in a directory of its own. */
export interface Gatehouse extends Peers {
  /** Issuer and gateway address. */
  readonly url: string;
  readonly managementUrl: string;
  readonly dataDirectory: string;
  stop(graceMs?: number): Promise<void>;
}

/** What every test installation has: development switch, loopback endpoints, cheap passwords, quick drain. */
export const testFlags = (
  publicPort: number,
  managementPort: number,
  dataDirectory: string,
): Record<string, string> => ({
  development: "true",
  "public-port": String(publicPort),
  "management-port": String(managementPort),
  "data-directory": dataDirectory,
  "log-level": "silent",
  "drain-milliseconds": "0",
  "password-passes": "1",
  // All tests come from one address.
  "sign-in-failures-per-network": "0",
  // Far beyond what a test asks for, and not off: every answer has its key's remaining limit.
  "gateway-rate-per-second": "100000",
  "gateway-rate-burst": "100000",
  "webhook-allow-http": "true",
  "webhook-allowed-networks": "127.0.0.0/8,::1/128",
});

/** A test master key; installations on PostgreSQL need one. */
export const TEST_MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

export async function startGatehouse(options: GatehouseOptions = {}): Promise<Gatehouse> {
  const dataDirectory = options.dataDirectory ?? (await newStoreFolder("gh-"));
  const flags = {
    ...testFlags(await freePort(), await freePort(), dataDirectory),
    ...(options.carriage === "socket" ? { rpc: "socket" } : {}),
    ...(options.storeUrl === undefined ? {} : { "store-url": options.storeUrl, "master-keys": TEST_MASTER_KEY }),
    ...options.flags,
  };
  const config = readConfig({ flags, environment: {}, roles: ROLES });
  const running = await startAll(config, { hand: options.carriage === "in process, encoded" ? "encoded" : "frozen" });
  const peers = connectPeers(config["socket-directory"]);
  return {
    ...peers,
    url: config.issuer,
    managementUrl: running.managementAddress,
    dataDirectory,
    async stop(graceMs) {
      await peers.close();
      await running.stop(graceMs);
      if (options.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Starts an installation for the suite or test whose scope this is. */
export async function openGatehouse(
  closeLater: (closer: Closer) => void,
  options?: GatehouseOptions,
): Promise<Gatehouse> {
  const gatehouse = await startGatehouse(options);
  closeLater(() => gatehouse.stop());
  return gatehouse;
}
