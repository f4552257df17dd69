import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { EXIT, refuse } from "../output/refusal.ts";
import { type Streams, write } from "../output/streams.ts";

const BYTES_MAX = 64 * 1024;

/**
 * Reads a password from a file, or from standard input: typed unseen and twice at a terminal, all of it otherwise. One line break at the
 * end is not part of it. It is never an argument, which other users of the machine could see.
 * @throws Refusal when the file cannot be read or the two are not the same.
 */
export async function readPassword(
  file: string | undefined,
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
): Promise<string> {
  if (file !== undefined && file !== "-") return withoutLineBreak(await readSecretFile(file));
  if (stdin.isTTY !== true) return withoutLineBreak(await readAll(stdin));
  const first = await askUnseen("Password: ", stdin, stderr);
  const second = await askUnseen("Again: ", stdin, stderr);
  if (first !== second)
    throw refuse(EXIT.usage, {
      code: "USAGE",
      reason: "passwords_differ",
      message: "The two passwords differ.",
      fix: "Try again.",
    });
  return first;
}

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, "");

async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw refuse(EXIT.usage, {
      code: "USAGE",
      reason: "password_file_unreadable",
      message: `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      fix: "Correct --password-file, or leave it out and give the password on standard input.",
    });
  }
}

async function readAll(stdin: Streams["stdin"]): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += chunk.toString();
    if (text.length > BYTES_MAX)
      throw refuse(EXIT.usage, {
        code: "USAGE",
        reason: "password_too_long",
        message: "That is too long for a password.",
      });
  }
  return text;
}

async function askUnseen(question: string, input: Streams["stdin"], stderr: Streams["stderr"]): Promise<string> {
  await write(stderr, question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve, reject) => {
      const interrupted = () =>
        reject(refuse(EXIT.usage, { code: "USAGE", reason: "interrupted", message: "Nothing was changed." }));
      lines.once("line", resolve);
      lines.once("SIGINT", interrupted);
      lines.once("close", interrupted);
    });
  } finally {
    lines.close();
    await write(stderr, "\n");
  }
}
