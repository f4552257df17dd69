import { setTimeout as sleep } from "node:timers/promises";
import { systemRandom } from "#runtime/basis/random.ts";
import { startEdgeServer } from "#runtime/http/edge-server.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { Config } from "../config.ts";
import { portalEdge } from "../portal/edge.ts";
import { signOnEdge } from "../sign-on/edge.ts";
import { workforceEdge } from "../workforce/edge.ts";
import { carrierTo, servicesCheck } from "./carriers.ts";
import { type Process, startProcess, untilSignal } from "./process.ts";

/** Starts the edge role: the public listener over calls to services. */
export async function startEdge(
  config: Config,
  process: Process,
  carrier: Carrier,
): Promise<{ readonly port: number }> {
  const { log, metrics } = process;
  const { connect } = carrier;
  const { issuer } = config;
  const gatewayUrl = config["gateway-url"];
  const server = await startEdgeServer({
    host: config["public-host"],
    port: config["public-port"],
    log,
    metrics,
    random: systemRandom,
    areas: [
      signOnEdge({ connect, issuer, jwksMaxAgeSeconds: config["jwks-max-age-seconds"], log }),
      workforceEdge({ connect, gatewayUrl, version: config.version }),
      portalEdge({
        version: config.version,
        issuer,
        gatewayUrl,
        carrier:
          config.rpc === "socket" || !config.roles.includes("services")
            ? "gRPC over private sockets"
            : "gRPC, in process",
        sampleUrl: config["sample-url"],
        healthUrl: `http://${config["management-host"]}:${config["management-port"]}/health/ready`,
      }),
    ],
  });
  process.add({ name: "calls of the edge", stop: () => carrier.close() });
  process.add({
    name: server.name,
    async stop(graceMs) {
      // Still listening: clients are asked to close, and a balancer sees that we are not ready, before a connection is refused.
      server.draining();
      await sleep(Math.min(config["drain-milliseconds"], graceMs));
      await server.stop(Math.max(0, graceMs - config["drain-milliseconds"]));
    },
  });
  return { port: server.port };
}

/** `serve --role edge`. */
export async function serveEdge(config: Config): Promise<void> {
  const running = await startProcess(config, async (process) => {
    await startEdge(config, process, carrierTo(config["socket-directory"], "edge"));
    process.checks.push(servicesCheck(config["socket-directory"], "edge"));
    return process.ready();
  });
  untilSignal(running);
}
