import { join } from "node:path";
import { CannotStart } from "#runtime/basis/errors.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { type Loop, superviseLoops } from "#runtime/process/loop.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { Config } from "../config.ts";
import { type WebhooksWorker, webhooksWorker } from "../webhooks/worker.ts";
import { carrierTo, servicesCheck } from "./carriers.ts";
import { ownListeners } from "./own-listeners.ts";
import { type Process, serveProcess } from "./process.ts";

/** Services say nothing to a worker when they, or their store, are back: it asks again. */
const LONGEST_WAIT_MS = 1_000;
const ROOT = join(import.meta.dirname, "..", "..");

/** The worker's loops, which stop once. */
interface RunningWorker {
  /** How long attempts that are under way, and their reports, may take. */
  readonly needsMs: number;
  /** Takes nothing more, and waits for what is under way. May be called again. */
  stop(): Promise<void>;
}

/** Starts the worker role: the loops that talk to the outside. */
export async function startWorker(config: Config, process: Process, carrier: Carrier): Promise<RunningWorker> {
  const { log, metrics } = process;
  const webhooks = webhooksWorker({
    connect: carrier.connect,
    random: systemRandom,
    log,
    metrics,
    settings: config.of.webhooks,
    version: config.version,
    own: ownListeners(config, process.ports),
  });
  process.checks.push(...webhooks.checks);
  const ofTemporal = await loopsOfTemporal(config, process, { carrier, webhooks });
  const supervised = superviseLoops([...webhooks.loops, ...ofTemporal], {
    log,
    metrics,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  process.add({ name: "calls of the worker", stop: () => carrier.close() });
  process.checks.push({ ...supervised.check, name: "worker loops" });
  process.add({ name: "worker loops", stop: supervised.stop });
  return { needsMs: webhooks.stopMs, stop: supervised.stop };
}

/**
 * Nothing of Temporal's packages is loaded where no server is configured.
 * @throws CannotStart when a server is configured but the packages are not installed.
 */
async function loopsOfTemporal(
  config: Config,
  process: Process,
  parts: { readonly carrier: Carrier; readonly webhooks: WebhooksWorker },
): Promise<readonly Loop[]> {
  const address = config["temporal-address"];
  if (address === undefined) return [];
  const { temporalLoops } = await import("./temporal.ts").catch((error: unknown) => {
    throw isPackageMissing(error) ? notInstalled(error) : error;
  });
  return temporalLoops({ ...config, "temporal-address": address }, process, parts);
}

const isPackageMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";

/** A configured server needs Temporal's packages, which are installed separately (decision 0038). */
const notInstalled = (cause: unknown): CannotStart =>
  new CannotStart(
    `temporal-address is set, but Temporal's packages are not installed: run "make install-temporal" in ${ROOT}.`,
    { exitCode: 78, cause },
  );

/** `serve --role worker`. */
export async function serveWorker(config: Config): Promise<void> {
  await serveProcess(config, async (process) => {
    await startWorker(config, process, carrierTo(config["socket-directory"], "worker"));
    process.checks.push(servicesCheck(config["socket-directory"], "worker", process.log));
    return process.ready();
  });
}
