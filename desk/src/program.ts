import { readFileSync } from "node:fs";
import { CommandError, EXIT, type ExitCode, errorDocument } from "./command-error.ts";
import { CONFORM_HELP, conformCommand } from "./conform/conform-command.ts";
import { LISTEN_HELP, listenCommand } from "./listen/listen-command.ts";
import { meantWord } from "./spelling.ts";
import { painter, type Surroundings, WIDTH, wrapAround } from "./terminal.ts";
import { TRIGGER_HELP, triggerCommand } from "./trigger-command.ts";

interface DeskSurroundings extends Surroundings {
  /** How the program is started, in its help and in the commands that it advises. */
  readonly command: string;
  /** What its errors begin with; `command` unless given. */
  readonly name?: string;
}

interface Command {
  readonly help: string;
  readonly run: (
    words: readonly string[],
    surroundings: Surroundings & { readonly command: string },
  ) => Promise<ExitCode>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  listen: { help: LISTEN_HELP, run: listenCommand },
  trigger: { help: TRIGGER_HELP, run: triggerCommand },
  conform: { help: CONFORM_HELP, run: conformCommand },
};

const HELP = `Tools for receivers of Gatehouse's events.

Usage: <command> <verb> [flags]

  listen             forward real events to a program on your machine
  trigger <type>     make a test event of a type
  conform <url>      score a receiver: which rules for receivers it keeps

<command> <verb> --help says more; <command> --version says which version it is.`;

/** Runs one command; mistakes are printed on `stderr`. */
export async function runDesk(
  [verb = "", ...words]: readonly string[],
  { command, name = command, ...surroundings }: DeskSurroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  if (verb === "--version" || verb === "-V") {
    stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const found = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  const isHelpWanted = words.includes("--help") || words.includes("-h");
  if (found === undefined || isHelpWanted) {
    const isHelp = isHelpWanted || ["", "help", "--help", "-h"].includes(verb);
    const meant = meantWord(verb, Object.keys(COMMANDS));
    const question = meant === undefined ? "" : ` Did you mean ${meant}?`;
    if (!isHelp) stderr.write(`${name}: there is no ${plain(verb)}.${question}\n\n`);
    (isHelp ? stdout : stderr).write(`${(found?.help ?? HELP).replaceAll("<command>", command)}\n`);
    return isHelp ? EXIT.ok : EXIT.usage;
  }
  try {
    return await found.run(words, { ...surroundings, command });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const named = error.startedAs(command);
    stderr.write(
      words.includes("--json") ? `${JSON.stringify(errorDocument(named))}\n` : shown(named, { name, command, stderr }),
    );
    return error.exitCode;
  }
}

function shown(
  { message, fix }: CommandError,
  { name, command, stderr }: Pick<Surroundings, "stderr"> & { readonly name: string; readonly command: string },
): string {
  const lines = [`${name}: ${plain(message)}`, ...(fix === undefined ? [] : [plain(fix)])];
  const [first = "", ...rest] = lines.map((line) =>
    stderr.isTTY === true ? wrapAround(line, command, WIDTH).join("\n") : line,
  );
  return `${[`${painter(stderr)("red", `${name}:`)}${first.slice(name.length + 1)}`, ...rest].join("\n")}\n`;
}

const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version;

/** What was typed is repeated in errors: it must not control the terminal. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
