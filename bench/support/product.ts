import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../harness/installation.ts";
import { connectPeers, type Peers } from "./world.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The product as one process with a store of its own, which may send webhooks to this machine. */
export interface Product {
  readonly pid: number;
  readonly peers: Peers;
  stop(): Promise<void>;
}

/** Starts it as an operator does, with these settings; `root` is the directory of another checkout, to compare with. */
export async function startProduct(settings: Readonly<Record<string, string>>, root = ROOT): Promise<Product> {
  const directory = mkdtempSync(join(tmpdir(), "gh-bench-"));
  const managementPort = await freePort();
  const flags = {
    development: "true",
    "public-port": await freePort(),
    "management-port": managementPort,
    "data-directory": directory,
    "log-destination": join(directory, "log"),
    "webhook-allow-http": "true",
    "webhook-allowed-networks": "127.0.0.0/8,::1/128",
    "webhook-jitter": "0",
    ...settings,
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child: ChildProcess = spawn(join(root, "bin", "gatehouse"), ["serve", ...words], { stdio: "inherit" });
  for (;;) {
    const health = await fetch(`http://127.0.0.1:${managementPort}/health/ready`)
      .then(async (answer) => (await answer.json()) as { readonly status: string })
      .catch(() => undefined);
    if (health?.status === "ready") break;
    if (child.exitCode !== null) throw new Error("The product ended before it was ready.");
    await sleep(20);
  }
  const peers = connectPeers(join(directory, "sockets"));
  return {
    pid: child.pid ?? 0,
    peers,
    async stop() {
      await peers.close();
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
