import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../../src/runtime/process/roles.ts";
import { freePort } from "./free-port.ts";
import { type Gatehouse, testFlags } from "./gatehouse.ts";
import { newStoreFolder } from "./memory.ts";
import type { Closer } from "./scope.ts";
import { connectPeers } from "./world.ts";

/** The program. */
export const MAIN = join(import.meta.dirname, "..", "..", "src", "main.ts");
const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "gatehouse");
/** Far beyond what a start takes, since a machine may do much else; a test that waits in vain says what was written. */
const READY_MS = 60_000;

/** A program of ours as a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly managementUrl: string;
  /** What it wrote so far on both outputs. */
  output(): string;
  /** Waits until `/health/ready` answers 200. @throws Error with its output when it ends before. */
  ready(): Promise<void>;
  /** Sends the signal and waits for the end, and for all its output; the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** What a process test may preset: Node's own flags, for example a hook that makes packages unresolvable. */
export interface ProgramOptions {
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** `src/main.ts` of another checkout, in place of ours. */
  readonly main?: string;
  /** By `bin/gatehouse`, with the memory that it gives Node, as operators start it; without Node flags. A path: by that of another folder. */
  readonly launched?: boolean | string;
  /** What a shell does before it becomes the program, for example `trap '' XFSZ`. */
  readonly before?: string;
}

/** Starts `gatehouse <words>` with nothing of our environment but PATH and HOME. */
export function startProgram(words: readonly string[], managementPort: number, options: ProgramOptions = {}): Program {
  const { PATH = "", HOME = "" } = process.env;
  const { launched = false } = options;
  const launcher = typeof launched === "string" ? launched : LAUNCHER;
  const program =
    launched === false ? [process.execPath, ...(options.nodeFlags ?? []), options.main ?? MAIN] : [launcher];
  const command = [...program, ...words];
  const [first = "", ...rest] =
    options.before === undefined ? command : ["/bin/sh", "-c", `${options.before}; exec "$0" "$@"`, ...command];
  const child = spawn(first, rest, {
    env: { PATH, HOME, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => written.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => written.push(chunk));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const output = () => Buffer.concat(written).toString("utf8");
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  return {
    child,
    managementUrl,
    output,
    async ready() {
      const until = Date.now() + READY_MS;
      while (Date.now() < until) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`It ended before it was ready:\n${output()}`);
        const answer = await fetch(`${managementUrl}/health/ready`).catch(() => undefined);
        if (answer?.status === 200) return;
        await sleep(25);
      }
      throw new Error(`It was not ready after ${READY_MS} ms:\n${output()}`);
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      await closed;
      return child.exitCode ?? child.signalCode;
    },
  };
}

const flagWords = (flags: Readonly<Record<string, string>>): string[] =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`);

/** The product as one process, or as one per role. */
export interface ProcessGatehouse extends Gatehouse {
  readonly programs: Readonly<Partial<Record<Role | "all", Program>>>;
  /** Starts that process again with the same settings, and with more Node flags and environment if given. */
  restart(role: Role | "all", more?: ProgramOptions): Promise<void>;
}

export interface ProcessOptions extends ProgramOptions {
  /** Without: one process with all roles. */
  readonly separate?: boolean;
  readonly flags?: Readonly<Record<string, string>>;
  /** Settings for some roles only. */
  readonly settingsOf?: Readonly<Partial<Record<Role, Readonly<Record<string, string>>>>>;
  /** Node flags for some roles only. */
  readonly flagsOf?: Readonly<Partial<Record<Role, readonly string[]>>>;
  /** Kept when given; otherwise a new one. */
  readonly dataDirectory?: string;
}

/** Starts the product in processes of its own and waits until every one is ready; ended with the suite or test. */
export async function openProcesses(
  closeLater: (closer: Closer) => void,
  options: ProcessOptions = {},
): Promise<ProcessGatehouse> {
  const dataDirectory = options.dataDirectory ?? (await newStoreFolder("gh-"));
  if (options.dataDirectory === undefined) closeLater(() => rm(dataDirectory, { recursive: true, force: true }));
  const publicPort = await freePort();
  const roles = options.separate === true ? (["services", "worker", "edge"] as const) : (["all"] as const);
  const programs: Partial<Record<Role | "all", Program>> = {};

  const start = async (role: Role | "all", more: ProgramOptions = {}) => {
    const managementPort = await freePort();
    const flags = { ...testFlags(publicPort, managementPort, dataDirectory), ...options.flags };
    if (role !== "all") Object.assign(flags, options.settingsOf?.[role]);
    const words = ["serve", ...(role === "all" ? [] : ["--role", role]), ...flagWords(flags)];
    const ofRole = (role !== "all" && options.flagsOf?.[role]) || [];
    const nodeFlags = [...(options.nodeFlags ?? []), ...ofRole, ...(more.nodeFlags ?? [])];
    const environment = { ...options.environment, ...more.environment };
    const program = startProgram(words, managementPort, { ...options, nodeFlags, environment });
    programs[role] = program;
    await program.ready();
  };
  closeLater(async () => {
    for (const program of Object.values(programs)) await program?.end("SIGKILL");
  });
  for (const role of roles) await start(role);

  const peers = connectPeers(options.flags?.["socket-directory"] ?? join(dataDirectory, "sockets"));
  closeLater(() => peers.close());
  return {
    ...peers,
    url: `http://localhost:${publicPort}`,
    managementUrl: programs.all?.managementUrl ?? programs.edge?.managementUrl ?? "",
    dataDirectory,
    programs,
    restart: start,
    async stop() {
      for (const program of Object.values(programs).reverse()) await program?.end();
    },
  };
}
