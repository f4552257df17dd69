import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startInstallation } from "../../harness/installation.ts";
import { connectPeers, type Peers } from "./world.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The product as one process with a store of its own, which may send webhooks to this machine. */
export interface Product {
  readonly pid: number;
  readonly peers: Peers;
  stop(): Promise<void>;
}

/** Starts it with these settings, until no part is degraded; `root` is the directory of another checkout, to compare with. */
export async function startProduct(given: Readonly<Record<string, string>>, root = ROOT): Promise<Product> {
  const settings = { "webhook-jitter": "0", ...given };
  const program = join(root, "bin", "gatehouse");
  const { pid, managementUrl, socketDirectory, stop } = await startInstallation(undefined, false, {
    program,
    settings,
  });
  while ((await statusOf(managementUrl)) !== "ready") await sleep(20);
  const peers = connectPeers(socketDirectory);
  return {
    pid,
    peers,
    async stop() {
      await peers.close();
      await stop();
    },
  };
}

async function statusOf(managementUrl: string): Promise<string> {
  const answer = await fetch(`${managementUrl}/health/ready`);
  return ((await answer.json()) as { readonly status: string }).status;
}
