import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isLikeSecret } from "../../../desk/src/key-text.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { type Streams, write } from "../output/streams.ts";
import { assertUtf8 } from "./utf8.ts";

const PASSWORD_LENGTH_MAX = 64 * 1024;
const TOKEN_LENGTH_MAX = 16 * 1024;

/**
 * Reads a password from a file, or from standard input: typed unseen and twice at a terminal, all of it otherwise. One line break at the
 * end is not part of it. It is never an argument, which other users of the machine could see.
 * @throws CommandError when the file cannot be read, the two are not the same, it is empty, or it is not UTF-8.
 */
export async function readPassword(
  file: string | undefined,
  streams: Pick<Streams, "stdin" | "stderr">,
): Promise<string> {
  const password = await passwordText(file, streams);
  if (password === "")
    throw wrongUsage(
      "password_missing",
      file === undefined || file === "-" ? "There was no password on standard input." : `${file} has no password.`,
      "Give it on standard input, or name a file that has it with --password-file.",
    );
  assertUtf8(password, "The password");
  return password;
}

async function passwordText(
  file: string | undefined,
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
): Promise<string> {
  if (file !== undefined && file !== "-") return withoutLineBreak(await readPasswordFile(file));
  if (stdin.isTTY !== true) {
    const text = await readUpTo(PASSWORD_LENGTH_MAX, stdin);
    if (text.length > PASSWORD_LENGTH_MAX) throw wrongUsage("password_too_long", "That is too long for a password.");
    return withoutLineBreak(text);
  }
  const [first = "", second] = await askUnseen(["Password: ", "Repeat password: "], stdin, stderr);
  if (first !== second) throw wrongUsage("passwords_differ", "The two passwords differ.", "Try again.");
  return first;
}

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, "");

const readPasswordFile = (file: string): Promise<string> =>
  readText(
    file,
    "password_file_unreadable",
    "Correct --password-file, or omit it and give the password on standard input.",
  );

/** The lines that are typed, one for each question. By one reader: what arrives with the first line is the next answer. */
async function askUnseen(
  questions: readonly string[],
  input: Streams["stdin"],
  stderr: Streams["stderr"],
): Promise<readonly string[]> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      await write(stderr, question);
      const { value, done } = await lines.next();
      await write(stderr, "\n");
      if (done === true) throw wrongUsage("interrupted", "Nothing was changed.");
      answers.push(value);
    }
    return answers;
  } finally {
    reader.close();
  }
}

/**
 * Reads a token, or another secret that `kind` names, from an argument, a file, or standard input (`-`, or nothing given),
 * without the white space around it: typed unseen at a terminal, all of it otherwise. As an argument it stays in the shell's
 * history.
 * @throws CommandError when the file cannot be read, or when the input is empty or too long.
 */
export async function readToken(
  given: string | undefined,
  file: string | undefined,
  streams: Pick<Streams, "stdin" | "stderr">,
  kind: "token" | "key" = "token",
): Promise<string> {
  if (given !== undefined && file !== undefined)
    throw wrongUsage("one_of_two_flags", `Give the ${kind} or --file, not both.`);
  const text = (await tokenText(given, file, kind, streams)).trim();
  if (text === "")
    throw wrongUsage(
      `${kind}_missing`,
      `There was no ${kind} to read.`,
      "Give it on standard input, or name a file that has it with --file.",
    );
  if (text.length > TOKEN_LENGTH_MAX) throw wrongUsage(`${kind}_too_long`, `That is too long for a ${kind}.`);
  return text;
}

async function tokenText(
  given: string | undefined,
  file: string | undefined,
  kind: "token" | "key",
  { stdin, stderr }: Pick<Streams, "stdin" | "stderr">,
): Promise<string> {
  if (file !== undefined && file !== "-") return readText(file, "token_file_unreadable");
  if (given !== undefined && given !== "-") return given;
  if (stdin.isTTY !== true) return readUpTo(TOKEN_LENGTH_MAX, stdin);
  const [typed = ""] = await askUnseen([`The ${kind}, which is not shown: `], stdin, stderr);
  return typed;
}

/** A file that a flag names. @throws CommandError when it cannot be read, without a secret that was given in its place. */
export async function readText(file: string, reason: string, fix?: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (isLikeSecret(file))
      throw wrongUsage(
        reason,
        "A key or a secret was given where the path of a file belongs.",
        "Put it into a file that you alone can read, and name that.",
      );
    throw wrongUsage(reason, `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, fix);
  }
}

/** The whole input, or a little more than `lengthMax` characters, so that the caller detects that it is too long. */
async function readUpTo(lengthMax: number, stdin: Streams["stdin"]): Promise<string> {
  let text = "";
  // A piece may end within a character. A byte order mark is part of the text, as it is in a file.
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const chunk of stdin) {
    text += typeof chunk === "string" ? chunk : utf8.decode(chunk, { stream: true });
    if (text.length > lengthMax) break;
  }
  return text + utf8.decode();
}

const wrongUsage = (reason: string, message: string, fix?: string): CommandError =>
  commandError(EXIT.usage, { code: "USAGE", reason, message, ...(fix === undefined ? {} : { fix }) });
