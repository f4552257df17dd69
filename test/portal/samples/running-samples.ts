import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** Saves the program and names the command that runs it, with nothing of our environment but PATH. */
async function commandOf(
  folder: string,
  language: string,
  code: string,
): Promise<readonly [string, readonly string[]]> {
  if (language === "curl") return ["/bin/sh", ["-c", code]];
  const file = join(folder, "sample.mts");
  await writeFile(file, code);
  return [process.execPath, [file]];
}

/** Runs a sample to its end. */
export async function runSample(
  folder: string,
  language: string,
  code: string,
  environment: Environment,
): Promise<Ran> {
  const [file, args] = await commandOf(folder, language, code);
  return await new Promise((resolve) => {
    execFile(file, [...args], { env: { PATH: process.env.PATH, ...environment } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}

/** Starts a sample that goes on until it is ended; `output` is what it has printed so far. */
export async function startSample(folder: string, code: string, environment: Environment) {
  const [file, args] = await commandOf(folder, "typescript", code);
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...environment } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    output: () => output,
    async end() {
      child.kill();
      await ended;
    },
  };
}
