import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../harness/installation.ts";
import { spawnTemporal, temporalCli, temporalReady } from "../../harness/temporal-server.ts";

/** A Temporal server as a process of its own, which keeps what it knows in a file. */
export interface BenchTemporal {
  readonly pid: number;
  /** Host and port. */
  readonly address: string;
  stop(): void;
}

/**
 * Starts one and waits until it answers. Like that of `make temporal` it stays behind the product; not `behind`, it is
 * one that somebody started beside the product with the priority of all others.
 */
export async function startTemporal({ behind = true } = {}): Promise<BenchTemporal> {
  const cli = temporalCli(true);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "gh-bench-temporal-"));
  const server = spawnTemporal(cli, { port, store: join(directory, "temporal.sqlite"), behind });
  const stop = () => {
    server.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await temporalReady(cli, server, port);
  } catch (error) {
    stop();
    throw error;
  }
  return { pid: server.pid ?? 0, address: `127.0.0.1:${port}`, stop };
}
