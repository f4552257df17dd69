import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";

export const SAMPLE_FOLDER = join(import.meta.dirname, "../../../examples/integrator");

/** The sample has packages of its own, as an integrator's program would. */
export const sampleIsInstalled = existsSync(join(SAMPLE_FOLDER, "node_modules/openid-client"));

export const SIGNING_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
export const API_KEY = `ghk_${"k".repeat(60)}`;

/** What a program printed until it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Sample {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the sample with its settings in the environment, and resolves when it says that it is ready. */
export async function startSample(gatehouseUrl: string, more: Record<string, string> = {}): Promise<Sample> {
  const url = `http://localhost:${await freePort()}`;
  const { child, output, ended } = run({ ...settingsFor(url, gatehouseUrl), ...more });
  await waitUntil(() => output().includes("ready") || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`The sample ended with ${child.exitCode}: ${(await ended).stderr}`);
  return {
    url,
    process: child,
    output,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Runs the sample with exactly this environment until it ends by itself. */
export function runSample(env: Record<string, string>): Promise<Ended> {
  return run(env).ended;
}

export function settingsFor(url: string, gatehouseUrl: string): Record<string, string> {
  return {
    GATEHOUSE_DEMO_FILE: "/nowhere/demo.json",
    SAMPLE_ISSUER: gatehouseUrl,
    SAMPLE_GATEWAY_URL: gatehouseUrl,
    SAMPLE_URL: url,
    SAMPLE_CLIENT_ID: "app_5RtGv2KmWz8QbL4XcN9Ys",
    SAMPLE_CLIENT_SECRET: "ghs_test",
    SAMPLE_REDIRECT_URI: `${url}/callback`,
    SAMPLE_API_KEY: API_KEY,
    SAMPLE_ENDPOINT_URL: `${url}/webhooks`,
    SAMPLE_SIGNING_SECRET: SIGNING_SECRET,
  };
}

function run(env: Record<string, string>): { child: ChildProcess; output: () => string; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [join(SAMPLE_FOLDER, "src/main.ts")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
  return { child, output: () => stdout + stderr, ended };
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
