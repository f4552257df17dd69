import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMicroseconds, residentMib } from "./process-cost.ts";

const PROGRAM = join(import.meta.dirname, "..", "bin", "gatehouse");

/** The product in one process of its own, as `gatehouse serve` starts it. */
export interface Installation {
  readonly url: string;
  readonly socketDirectory: string;
  readonly startedInMs: number;
  /** Of the process that has the store. */
  readonly pid: number;
  /** Of that process. */
  readonly managementUrl: string;
  cpu(): number;
  /** Durable commits of its store so far. */
  flushes(): Promise<number>;
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

export interface InstallationOptions {
  /** Edge and services run as separate processes; by default all roles share one. */
  readonly apart?: boolean;
  /** The launcher of another checkout; by default ours. */
  readonly program?: string;
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts with an embedded store below `directory`, a new directory by default. */
export async function startInstallation(
  directory = mkdtempSync(join(tmpdir(), "gh-bench-")),
  keep = false,
  { apart = false, program = PROGRAM, settings = {} }: InstallationOptions = {},
): Promise<Installation & { readonly directory: string }> {
  const publicPort = settings["public-port"] ?? String(await freePort());
  const flags = {
    development: "true",
    "public-port": publicPort,
    "data-directory": directory,
    // Limits are counted as in production, but too high to be reached.
    "gateway-rate-per-second": "100000",
    "gateway-rate-burst": "100000",
    "webhook-allow-http": "true",
    "webhook-allowed-networks": "127.0.0.0/8,::1/128",
    ...settings,
  };
  const startedAt = performance.now();
  const processes: BenchProcess[] = [];
  const stop = async () => {
    for (const one of processes.toReversed()) await one.stop();
    if (!keep) rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (const role of apart ? ["services", "edge"] : ["all"])
      processes.push(await startRole(program, role, directory, flags));
  } catch (error) {
    await stop();
    throw error;
  }
  const startedInMs = performance.now() - startedAt;
  // The process that has the store is the first.
  const { pid = 0, managementUrl = "" } = processes[0] ?? {};
  return {
    pid,
    managementUrl,
    directory,
    url: `http://localhost:${publicPort}`,
    socketDirectory: join(directory, "sockets"),
    startedInMs,
    cpu: () => processes.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0),
    flushes: () => commitsOf(managementUrl),
    // The edge's process, when it is separate.
    residentMib: () => residentMib(processes.at(-1)?.pid ?? 0),
    stop,
  };
}

async function commitsOf(managementUrl: string): Promise<number> {
  const page = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(/^gatehouse_store_commits_total (\d+)$/m.exec(page)?.[1]);
}

interface BenchProcess {
  readonly pid: number;
  readonly managementUrl: string;
  stop(): Promise<void>;
}

async function startRole(
  program: string,
  role: string,
  directory: string,
  flags: Readonly<Record<string, string>>,
): Promise<BenchProcess> {
  const managementPort = await freePort();
  const words = {
    ...flags,
    "management-port": String(managementPort),
    "log-destination": join(directory, `${role}.log`),
  };
  const child = spawn(
    program,
    [
      "serve",
      ...(role === "all" ? [] : [`--role=${role}`]),
      ...Object.entries(words).map(([name, value]) => `--${name}=${value}`),
    ],
    { stdio: "inherit" },
  );
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${managementPort}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (hasEnded(child)) throw new Error("The product ended before it was ready.");
    await sleep(5);
  }
  return {
    pid: child.pid ?? 0,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    async stop() {
      if (hasEnded(child)) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** By itself or by a signal. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
