import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { BLOCKED_PORTS } from "./blocked-ports.ts";
import { CommandError } from "./command-error.ts";
import { meantWord } from "./spelling.ts";

/**
 * Flags and other words of a command line.
 * @throws CommandError that names the mistake.
 */
export function readFlags<const Options extends ParseArgsOptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const [sentence = ""] = (cause as Error).message.split(". ");
    const [, typed = ""] = /^Unknown option '(--[^']+)'/.exec(sentence) ?? [];
    const meant = meantWord(typed, Object.keys(options).flatMap(offered));
    const question = meant === undefined ? "" : ` Did you mean ${meant}?`;
    throw new CommandError(`${sentence}.${question}`.replace("..", "."), { cause, fix: "--help lists every flag." });
  }
}

/** What a command line shows, others of the machine can see: a key and a secret are not offered there. */
const offered = (name: string): readonly string[] => (["key", "secret"].includes(name) ? [] : [`--${name}`]);

/**
 * An address of http or https without a user name or password, at a port that is not blocked: fetch refuses the others.
 * @throws CommandError that names the flag.
 */
export function readUrl(text: string | undefined, flag: string, example: string): URL {
  const url = text === undefined ? undefined : URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && BLOCKED_PORTS.has(url.port))
    throw new CommandError(
      `${flag} has port ${url.port}, which no program that follows the Fetch standard connects to.`,
      {
        fix: `Take another port, for example: ${example}`,
      },
    );
  if (isWeb && url.username === "" && url.password === "") return url;
  const form = isWeb ? "have no user name and no password" : "be an address of http or https";
  const problem = text === undefined ? `${flag} is missing.` : `${flag} must ${form}.`;
  throw new CommandError(problem, { fix: `For example: ${example}` });
}

/** A whole number in a range. */
export function readNumber(text: string, flag: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CommandError(`${flag} must be a whole number from ${least} to ${most}.`);
}
