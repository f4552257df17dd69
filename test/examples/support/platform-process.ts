import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OptionalPart } from "../../support/optional-part.ts";
import type { Ended } from "./sample-process.ts";

export const PLATFORM_FOLDER = join(import.meta.dirname, "../../../examples/platform");

/** The program has packages of its own, as an outsider's would. */
export const THE_PLATFORM: OptionalPart = {
  name: "the sample platform",
  missing: existsSync(join(PLATFORM_FOLDER, "node_modules/@grpc/proto-loader"))
    ? undefined
    : "its packages are not installed: run `npm ci` in examples/platform",
};

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this has been printed. */
  printed(text: string): Promise<void>;
}

/** Starts one of its programs with nothing of our environment, in a folder of its user's. */
export function startPlatform(program: "main" | "fetch-protos", words: readonly string[], folder: string): Started {
  const child = spawn(process.execPath, [join(PLATFORM_FOLDER, "src", `${program}.ts`), ...words], {
    cwd: folder,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
  return {
    child,
    ended: once(child, "close").then(([code]) => ({ code, stdout: text(stdout), stderr: text(stderr) })),
    async printed(wanted) {
      while (!text(stdout).includes(wanted)) await once(child.stdout, "data");
    },
  };
}
