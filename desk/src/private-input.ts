import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError } from "./command-error.ts";
import { isLikeSecret } from "./key-text.ts";
import { parseSecret } from "./signature.ts";
import { type Surroundings, variableOf } from "./terminal.ts";

/** Where something that others must not see can come from, the first that there is. */
interface PrivateInput {
  /** What it is called in sentences, for example “API key”. */
  readonly what: string;
  readonly flag: string;
  /** Value of the flag, which other users of the machine can see. */
  readonly given: string | undefined;
  /** Value of the flag that names a file. */
  readonly file: string | undefined;
  /** The environment variable. */
  readonly variable: string;
  /** What would do in its place, as a sentence. */
  readonly other?: string;
}

/**
 * A key or secret from its flag, a file, its environment variable, or typed unseen at a terminal; without the white
 * space around it.
 * @throws CommandError when there is none, or when the file cannot be read.
 */
export async function readPrivate(
  { what, flag, given, file, variable, other }: PrivateInput,
  surroundings: Surroundings,
): Promise<string> {
  const { stdin, stderr } = surroundings;
  if (given !== undefined) {
    stderr.write(
      `Other users of this machine can see what ${flag} says; ${variable} or ${flag}-file keep it private.\n`,
    );
    return given.trim();
  }
  const text = file === undefined ? variableOf(surroundings, variable) : await readPrivateFile(file, `${flag}-file`);
  const value = (text ?? (stdin.isTTY === true ? await askUnseen(`${what}: `, stdin, stderr) : "")).trim();
  if (value !== "") return value;
  throw new CommandError(`There is no ${what}.`, {
    fix: [`Set ${variable}, or name a file with ${flag}-file.`, ...(other === undefined ? [] : [other])].join(" "),
  });
}

/**
 * The signing secret, as bytes, from --secret, --secret-file, WEBHOOK_SECRET or a terminal.
 * @throws CommandError when there is none, or when it is not one.
 */
export async function readSigningSecret(
  {
    secret,
    "secret-file": file,
  }: { readonly secret?: string | undefined; readonly "secret-file"?: string | undefined },
  surroundings: Surroundings,
  fix = "It was shown when the subscription was made.",
  other?: string,
): Promise<Buffer> {
  const variable = "WEBHOOK_SECRET";
  const input = { what: "signing secret", flag: "--secret", given: secret, file, variable, ...(other && { other }) };
  const text = await readPrivate(input, surroundings);
  return parsePrivate(parseSecret, text, fix);
}

/**
 * What a parser makes of a key or secret.
 * @throws CommandError with the parser's own sentence.
 */
export function parsePrivate<T>(parse: (text: string) => T, text: string, fix: string): T {
  try {
    return parse(text);
  } catch (cause) {
    throw new CommandError((cause as Error).message, { cause, fix });
  }
}

/**
 * The text of the file that the flag names.
 * @throws CommandError when it cannot be read, without a key or secret that was given in its place.
 */
export async function readPrivateFile(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (isLikeSecret(file))
      throw new CommandError(`${flag} takes the path of a file, and this is a key or a secret.`, {
        fix: "Put it into a file that you alone can read, and name that.",
      });
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError(`${file} cannot be read (${code}).`, { cause, fix: `Correct ${flag}.` });
  }
}

async function askUnseen(
  question: string,
  input: Surroundings["stdin"],
  stderr: Surroundings["stderr"],
): Promise<string> {
  stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve) => {
      lines.once("line", resolve);
      for (const end of ["SIGINT", "close"]) lines.once(end, () => resolve(""));
    });
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
