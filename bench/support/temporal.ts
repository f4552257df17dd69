import { mkdtempSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
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

/** The least share of a processor that others want too. */
const LOWEST_PRIORITY = 19;

/**
 * Starts one and waits until it answers. `behind`: it gets the least share of the processors, so that what is measured
 * beside it is the product's own; a busy server on the same machine takes more than the product does.
 */
export async function startTemporal({ behind = false } = {}): Promise<BenchTemporal> {
  const cli = temporalCli(true);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), "gh-bench-temporal-"));
  const server = spawnTemporal(cli, { port, store: join(directory, "temporal.sqlite") });
  const stop = () => {
    server.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    if (behind && server.pid !== undefined) setPriority(server.pid, LOWEST_PRIORITY);
    await temporalReady(cli, server, port);
  } catch (error) {
    stop();
    throw error;
  }
  return { pid: server.pid ?? 0, address: `127.0.0.1:${port}`, stop };
}
