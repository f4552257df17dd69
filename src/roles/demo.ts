import { stopOnSignals } from "#runtime/process/lifecycle.ts";
import type { Config } from "../config.ts";
import { startAll } from "./all.ts";
import { temporalTrouble } from "./temporal-trouble.ts";

/** Defaults of the demonstration for settings that are not given; suitable for trying out on one machine only. */
export const demoDefaults: Readonly<Record<string, string>> = {
  development: "true",
  "webhook-allow-http": "true",
  "webhook-allowed-networks": "127.0.0.0/8,::1/128",
  "sample-url": "http://localhost:8082",
  // The terminal is for the page.
  "log-destination": "file",
  // No load balancer needs time to notice the stop.
  "drain-milliseconds": "0",
};

/** The address of the UI when it is configured, otherwise of the server. */
const temporalOf = (config: Config): string | undefined =>
  config["temporal-address"] && (config["temporal-ui-url"] ?? `Temporal at ${config["temporal-address"]}`);

/**
 * `demo`: starts the whole product in this process, fills it with the demonstration at the first start, starts the sample integrator,
 * prints where everything is, and runs until a signal ends it.
 * @throws CannotStart, with everything stopped again.
 */
export async function serveDemo(config: Config): Promise<void> {
  const running = await startAll(config);
  let sample: { stop(): Promise<void> } | undefined;
  let stopping = false;
  const stop = async (graceMs?: number) => {
    stopping = true;
    await sample?.stop();
    await running.stop(graceMs);
    // The terminal has put ^C at the beginning of this line.
    if (process.stdout.isTTY) process.stdout.write("\nGatehouse has stopped.\n");
  };
  stopOnSignals({ stop }, running.log);
  try {
    const { runDemonstration } = await import("../cli/demo/run-demonstration.ts");
    sample = await runDemonstration({
      version: config.version,
      issuer: config.issuer,
      gatewayUrl: config["gateway-url"],
      healthUrl: `${running.managementAddress}/health/ready`,
      carrier: config.rpc === "socket" ? "gRPC over private sockets" : "gRPC, in process",
      temporal: temporalOf(config),
      temporalTrouble: () => temporalTrouble(running.checks),
      dataDirectory: config["data-directory"],
      socketDirectory: config["socket-directory"],
      logDestination: config["log-destination"],
      sampleUrl: config["sample-url"] ?? "",
    });
  } catch (error) {
    // Calls that a signal interrupted fail; these failures are not reported.
    if (stopping) return;
    await running.stop();
    throw error;
  }
}
