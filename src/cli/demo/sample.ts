import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CannotStart } from "#runtime/basis/errors.ts";

const FOLDER = join(import.meta.dirname, "../../../examples/integrator");
const READY_MS = 10_000;
const STOP_MS = 2_000;
/** The sample's exit code when another program uses its port (examples/integrator/README.md). */
const PORT_TAKEN = 98;

/** Ends the sample when this process ends in any way: its standard input is then closed. */
const ENDS_WITH_US = `data:text/javascript,${encodeURIComponent("process.stdin.on('close', () => process.exit()).resume();")}`;

export interface Sample {
  /** The sample's address, or one line with the reason why it does not run. */
  readonly state: { readonly url: string } | { readonly missing: string };
  stop(): Promise<void>;
}

interface SampleOptions {
  readonly demoFile: string;
  readonly url: string;
  /** Where the program is; examples/integrator by default. */
  readonly folder?: string;
  /** Called with a line when it ends by itself. */
  readonly onEnd: (line: string) => void;
}

/**
 * Starts the sample integrator, once, as a program of its own, and waits until it listens. Without its packages, or
 * when it fails by itself, everything else still runs.
 * @throws CannotStart when its port is taken.
 */
export async function startSample({ demoFile, url, folder = FOLDER, onEnd }: SampleOptions): Promise<Sample> {
  if (!packagesOf(folder).every((name) => isInstalled(name, folder))) return withoutSample(missingPackages(folder));
  const child = spawn(process.execPath, ["--import", ENDS_WITH_US, join(folder, "src/main.ts")], {
    env: { ...withoutNodeOptions(process.env), GATEHOUSE_DEMO_FILE: demoFile },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = collect(child);
  const failure = await readyOrFailure(child, said);
  if (failure !== undefined) {
    await end(child);
    const { port } = new URL(url);
    if (child.exitCode === PORT_TAKEN)
      throw new CannotStart(`Port ${port} is taken by another program. Set sample-url to another address.`, {
        settings: ["sample-url"],
      });
    return withoutSample(`The sample integrator did not start: ${failure}`);
  }
  let stopping = false;
  child.once("exit", (code, signal) => {
    // Ctrl-C reaches the sample too, and it may end first; that is not reported.
    if (!stopping && code !== 0)
      onEnd(`The sample integrator ended (${signal ?? `exit code ${code}`}). ${said().trim().split("\n").at(-1)}`);
  });
  return {
    state: { url },
    async stop() {
      stopping = true;
      await end(child);
    },
  };
}

const withoutSample = (missing: string): Sample => ({ state: { missing }, stop: async () => undefined });

/** What its program imports. */
const packagesOf = (folder: string): readonly string[] => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly dependencies: object };
  return Object.keys(manifest.dependencies);
};

/** Whether programs in the folder find the package: beside them or anywhere above. */
function isInstalled(name: string, folder: string): boolean {
  const above = dirname(folder);
  return (
    existsSync(join(folder, "node_modules", name, "package.json")) || (above !== folder && isInstalled(name, above))
  );
}

const missingPackages = (folder: string): string =>
  `Not running: its packages are missing. Run “make install-sample”, or “npm ci --omit=dev” in ${relative(process.cwd(), folder) || "."}.`;

/** The last 4,000 characters of its output so far. */
function collect(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8");
    stream?.on("data", (chunk: string) => {
      text = (text + chunk).slice(-4_000);
    });
  }
  return () => text;
}

/** Undefined once it listens; otherwise its output when it ended, or that it took too long. */
async function readyOrFailure(child: ChildProcess, said: () => string): Promise<string | undefined> {
  const ready = new Promise<undefined>((resolve) => {
    child.stdout?.on("data", () => said().includes("is ready at") && resolve(undefined));
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(said().trim() || `it ended with exit code ${code}.`));
  });
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`it was not ready after ${READY_MS / 1000} s.`), READY_MS);
  try {
    return await Promise.race([ready, ended, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(forced);
}

/** Flags for this process, a debugger's port for instance, are not for the sample. */
const withoutNodeOptions = ({ NODE_OPTIONS: _, ...environment }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => environment;
