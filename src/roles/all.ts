import type { InProcessOptions } from "#runtime/rpc/in-process.ts";
import type { Config } from "../config.ts";
import { carrierTo } from "./carriers.ts";
import { startEdge } from "./edge.ts";
import { type Process, type Running, serveProcess, startProcess } from "./process.ts";
import { startServices } from "./services.ts";
import { startWorker } from "./worker.ts";

interface AllOptions {
  /** How in-process calls pass messages; tests use other values than the default. */
  readonly hand?: InProcessOptions["hand"];
}

const compose =
  (config: Config, { hand = "over" }: AllOptions = {}) =>
  async (process: Process): Promise<Running> => {
    const services = await startServices(config, process);
    const carrier = (peer: "edge" | "worker") =>
      config.rpc === "socket" ? carrierTo(config["socket-directory"], peer) : services.carrier(peer, hand);
    const worker = await startWorker(config, process, carrier("worker"));
    await startEdge(config, process, carrier("edge"), worker);
    return process.ready();
  };

/** Starts services, worker and edge in one process, calling each other in process or, under `--rpc socket`, over the sockets. */
export const startAll = (config: Config, options?: AllOptions) => startProcess(config, compose(config, options));

/** `serve`. */
export const serveAll = (config: Config): Promise<void> => serveProcess(config, compose(config));
