import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A child process whose first line of output announces that it is ready. */
export interface BenchProgram {
  readonly pid: number;
  /** The first line it wrote. */
  readonly firstLine: string;
  stop(): Promise<void>;
}

/** Starts `node <words>` and waits for its first line. */
export async function startBenchProgram(words: readonly string[]): Promise<BenchProgram> {
  const child: ChildProcess = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [firstLine] = (await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(() => Promise.reject(new Error(`${words.join(" ")} ended at once`))),
  ])) as [string];
  return {
    pid: child.pid ?? 0,
    firstLine,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
