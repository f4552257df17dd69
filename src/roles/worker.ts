import { systemClock } from "#runtime/basis/clock.ts";
import { superviseLoops } from "#runtime/basis/loop.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { Config } from "../config.ts";
import { webhooksWorker } from "../webhooks/worker.ts";
import { carrierTo, servicesCheck } from "./carriers.ts";
import { type Process, startProcess, untilSignal } from "./process.ts";

/** Starts the worker role: the loops that talk to the outside. */
export async function startWorker(config: Config, process: Process, carrier: Carrier): Promise<void> {
  const { log, metrics } = process;
  const { loops } = webhooksWorker({
    connect: carrier.connect,
    clock: systemClock,
    log,
    metrics,
    settings: config,
    version: config.version,
  });
  const supervised = superviseLoops(loops, { log, metrics });
  process.add({ name: "calls of the worker", stop: () => carrier.close() });
  process.add({ name: "worker loops", stop: supervised.stop });
}

/** `serve --role worker`. */
export async function serveWorker(config: Config): Promise<void> {
  const running = await startProcess(config, async (process) => {
    await startWorker(config, process, carrierTo(config["socket-directory"], "worker"));
    process.checks.push(servicesCheck(config["socket-directory"], "worker"));
    return process.ready();
  });
  untilSignal(running);
}
