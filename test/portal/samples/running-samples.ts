import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program as it is called. */
export interface SampleCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** A folder in which programs in TypeScript find the SDK as an integrator would have installed it. */
export async function folderWithSdk(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "gh-samples-"));
  await mkdir(join(path, "node_modules"));
  await symlink(join(ROOT, "generated", "sdk", "typescript"), join(path, "node_modules", "gatehouse-sdk"));
  return { path, remove: () => rm(path, { recursive: true }) };
}

export const shellCommand = (code: string): SampleCommand => ({ file: "/bin/sh", args: ["-c", code] });

/** Saves the program in a folder with the SDK. */
export async function typescriptCommand(folder: string, code: string): Promise<SampleCommand> {
  const file = join(folder, "sample.mts");
  await writeFile(file, code);
  return { file: process.execPath, args: [file] };
}

const optionsFor = (environment: Environment) => ({ env: { PATH: process.env.PATH, ...environment } });

/** Runs a sample to its end, with nothing of our environment but PATH. */
export const runSample = ({ file, args }: SampleCommand, environment: Environment): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(file, [...args], optionsFor(environment), (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

/** Starts a sample that goes on until it is ended; `output` is what it has printed so far. */
export function startSample({ file, args }: SampleCommand, environment: Environment) {
  const child = spawn(file, args, optionsFor(environment));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    output: () => output,
    async end() {
      child.kill();
      await ended;
    },
  };
}
