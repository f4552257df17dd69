import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runDesk } from "../../../desk/src/program.ts";

/** Runs one command of the desk tools in this process. */
export async function desk(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
  stdin: Readable & { readonly isTTY?: boolean } = Readable.from([]),
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runDesk(words, {
    command: "desk",
    stdin,
    stdout,
    stderr,
    env,
    ...(signal && { signal }),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { exitCode, out, err };
}
