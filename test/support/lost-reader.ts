import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Runs a program whose reader takes `lines` lines of its standard output and leaves (`… | head -n lines`). */
export async function runUntilReaderLeft(
  [program, ...words]: readonly [string, ...string[]],
  { lines = 0, env = {} }: { readonly lines?: number; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly exitCode: number; readonly taken: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number]>;
  const stderr = text(child.stderr);
  let taken = "";
  if (lines > 0)
    for await (const chunk of child.stdout) {
      taken += String(chunk);
      if (taken.split("\n").length > lines) break;
    }
  child.stdout.destroy();
  const [exitCode] = await ended;
  return { exitCode, taken, stderr: await stderr };
}
