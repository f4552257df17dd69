import { CannotStart } from "#runtime/basis/errors.ts";
import { urlPort } from "#runtime/basis/url-port.ts";
import { stopOnSignals } from "#runtime/process/lifecycle.ts";
import { configurationRefused, mistake } from "#runtime/process/settings.ts";
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

/** The settings that `make run` takes by variables of its own, with these (`run_flags` of the Makefile). */
const MAKE_VARIABLES = { "public-port": "PORT", "management-port": "MANAGEMENT_PORT", "sample-url": "SAMPLE_PORT" };

/**
 * Runs what starts a demonstration. Most are started by make: a mistake about one of its settings also says by which
 * variable of make it is given.
 * @throws CannotStart
 */
export async function inWordsOfMake(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    const { message, exitCode, settings } = error;
    const named = Object.entries(MAKE_VARIABLES).filter(([name]) => settings.includes(name));
    if (named.length === 0) throw error;
    const variables = named.map(([name, variable]) => `${variable}=… for ${name}`).join(", ");
    throw new CannotStart(`${message}\nWith make: ${variables}.`, { exitCode, cause: error, settings });
  }
}

/** The sample has a port of its own, which neither listener of this process has by the time at which it begins. */
function assertPortForSample(config: Config, sampleUrl: string): void {
  const port = urlPort(new URL(sampleUrl));
  const mistakes = (["public-port", "management-port"] as const)
    .filter((name) => config[name] === port)
    .map((name) =>
      mistake(`sample-url and ${name} both have port ${port}: set one of them to another.`, "sample-url", name),
    );
  if (mistakes.length > 0) throw configurationRefused(mistakes);
}

/** The address of the UI when it is configured, otherwise of the server. */
const temporalOf = (config: Config): string | undefined =>
  config["temporal-address"] && (config["temporal-ui-url"] ?? `Temporal at ${config["temporal-address"]}`);

/**
 * `demo`: starts the whole product in this process, fills it with the demonstration at the first start, starts the sample integrator,
 * prints where everything is, and runs until a signal ends it.
 * @throws CannotStart, with everything stopped again.
 */
export async function serveDemo(config: Config): Promise<void> {
  const sampleUrl = config["sample-url"] ?? "";
  assertPortForSample(config, sampleUrl);
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
      sampleUrl,
    });
  } catch (error) {
    // Calls that a signal interrupted fail; these failures are not reported.
    if (stopping) return;
    await running.stop();
    throw error;
  }
}
