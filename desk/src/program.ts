import { CommandError, EXIT, type ExitCode, errorDocument } from "./command-error.ts";
import { CONFORM_HELP, conformCommand } from "./conform/conform-command.ts";
import { LISTEN_HELP, listenCommand } from "./listen/listen-command.ts";
import { painter, type Surroundings } from "./terminal.ts";
import { TRIGGER_HELP, triggerCommand } from "./trigger-command.ts";

interface DeskSurroundings extends Surroundings {
  /** How the program is called in its help. */
  readonly command: string;
}

interface Command {
  readonly help: string;
  readonly run: (words: readonly string[], surroundings: Surroundings) => Promise<ExitCode>;
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

<command> <verb> --help says more.`;

/** Runs one command; mistakes are printed on `stderr`. */
export async function runDesk(
  [verb = "", ...words]: readonly string[],
  { command, ...surroundings }: DeskSurroundings,
): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  const found = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  const isHelpWanted = words.includes("--help") || words.includes("-h");
  if (found === undefined || isHelpWanted) {
    const isHelp = isHelpWanted || ["", "help", "--help", "-h"].includes(verb);
    if (!isHelp) stderr.write(`${command}: there is no ${plain(verb)}.\n\n`);
    (isHelp ? stdout : stderr).write(`${(found?.help ?? HELP).replaceAll("<command>", command)}\n`);
    return isHelp ? EXIT.ok : EXIT.usage;
  }
  try {
    return await found.run(words, surroundings);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    stderr.write(
      words.includes("--json") ? `${JSON.stringify(errorDocument(error))}\n` : shown(error, command, stderr),
    );
    return error.exitCode;
  }
}

function shown({ message, fix }: CommandError, command: string, stderr: Surroundings["stderr"]): string {
  const lines = [
    `${painter(stderr)("red", `${command}:`)} ${plain(message)}`,
    ...(fix === undefined ? [] : [plain(fix)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** What was typed is repeated in errors: it must not control the terminal. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
