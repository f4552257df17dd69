import { readFile } from "node:fs/promises";
import { EXIT, refuse } from "../output/refusal.ts";
import type { Streams } from "../output/streams.ts";

const LENGTH_MAX = 16 * 1024;

/**
 * Reads a token from an argument, a file, or standard input (`-`, or nothing given), without the white space around it. As an argument it
 * stays in the shell's history.
 * @throws Refusal when the file cannot be read, or when there is nothing or too much to read.
 */
export async function readToken(
  given: string | undefined,
  file: string | undefined,
  { stdin }: Pick<Streams, "stdin">,
): Promise<string> {
  if (given !== undefined && file !== undefined)
    throw wrongUsage("one_of_two_flags", "Give the token or --file, not both.");
  const text = (await textOf(given, file, stdin)).trim();
  if (text === "") throw wrongUsage("token_missing", "There was no token to read.");
  if (text.length > LENGTH_MAX) throw wrongUsage("token_too_long", "That is too long for a token.");
  return text;
}

const textOf = (given: string | undefined, file: string | undefined, stdin: Streams["stdin"]): Promise<string> => {
  if (file !== undefined && file !== "-") return readTokenFile(file);
  return given === undefined || given === "-" ? readAll(stdin) : Promise.resolve(given);
};

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw wrongUsage("token_file_unreadable", `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`);
  }
}

async function readAll(stdin: Streams["stdin"]): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += chunk.toString();
    if (text.length > LENGTH_MAX) break;
  }
  return text;
}

const wrongUsage = (reason: string, message: string) => refuse(EXIT.usage, { code: "USAGE", reason, message });
