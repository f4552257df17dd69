import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMicroseconds, residentMib } from "./process-cost.ts";

const MAIN = join(import.meta.dirname, "..", "..", "src", "main.ts");

/** The product in one process of its own, as `gatehouse serve` starts it. */
export interface Installation {
  readonly url: string;
  readonly socketDirectory: string;
  readonly startedInMs: number;
  cpu(): number;
  residentMib(): number;
  stop(): Promise<void>;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Starts on an embedded store below `directory`, a new one unless given. */
export async function startInstallation(
  directory = mkdtempSync(join(tmpdir(), "gh-bench-")),
  keep = false,
): Promise<Installation & { readonly directory: string }> {
  const [publicPort, managementPort] = [await freePort(), await freePort()];
  const flags = {
    development: "true",
    "public-port": publicPort,
    "management-port": managementPort,
    "data-directory": directory,
    "log-destination": join(directory, "log"),
    // Counted as in production, and never reached.
    "gateway-rate-per-second": 100_000,
    "gateway-rate-burst": 100_000,
    "webhook-allow-http": "true",
    "webhook-allowed-networks": "127.0.0.0/8,::1/128",
  };
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [MAIN, "serve", ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)],
    { stdio: "inherit" },
  );
  const pid = child.pid ?? 0;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${managementPort}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null) throw new Error("The product ended before it was ready.");
    await sleep(5);
  }
  return {
    directory,
    url: `http://localhost:${publicPort}`,
    socketDirectory: join(directory, "sockets"),
    startedInMs: performance.now() - startedAt,
    cpu: () => cpuMicroseconds(pid),
    residentMib: () => residentMib(pid),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      if (!keep) rmSync(directory, { recursive: true, force: true });
    },
  };
}
