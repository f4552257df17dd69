import type { Command, CommanderError } from "commander";
import { repeated } from "./input/flags.ts";
import { meantCommand } from "./meant-command.ts";
import { type Advice, helpOf, leadingTo } from "./output/advice.ts";
import { type CommandError, commandError, EXIT } from "./output/command-error.ts";

/** Commander's error about the arguments, in our own words, with a pointer to the command's help. */
export const usageError = ({ message, code }: CommanderError, command: Command): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: code.replace(/^commander\./, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    message: code === "commander.unknownCommand" ? unknownCommand(message, command) : inOurWords(message),
    fix: [...(code === "commander.excessArguments" ? [whyTooMany(command)] : []), seeHelp(command)],
  });

/**
 * What `src/main.ts` runs itself when its name comes first. Behind a flag the name would be found here and nothing be
 * done, so that is refused.
 */
export const comesFirst = (command: Command): Command =>
  command
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw commandError(EXIT.usage, {
        code: "USAGE",
        reason: "flag_before_program",
        message: `Put the flags after ${command.name()}.`,
        fix: [`Write: ${pathOf(command)} … [flags]`, seeHelp(command)],
      });
    });

/** Of every command. */
export const HELP_FLAGS: readonly string[] = ["-h", "--help"];

/** Help was wanted of a command that there is not: said so, before Commander prints the help of what comes before it. */
export class NoSuchCommand extends Error {}

/** Otherwise the help of the noun would be taken for that of a command whose name is mistyped. */
export function refuseHelpOfUnknown(command: Command): void {
  if (command.commands.length === 0) return;
  command.on("beforeHelp", () => {
    const [word, ...others] = command.args;
    const isFlag = word === undefined || word.startsWith("-");
    if (!isFlag && others.some((other) => HELP_FLAGS.includes(other))) throw new NoSuchCommand(word);
  });
}

/**
 * The usual causes of too many words: a flag that takes one value each time, and is repeated for more; a name with a space
 * in it, of which a shell makes several words.
 */
function whyTooMany(command: Command): string {
  const one = command.options.find(
    (option) => option.parseArg === repeated && command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (one !== undefined) return `${one.long} takes one value, and is repeated for more: ${one.long} … ${one.long} …`;
  return "A name with spaces is put into quotes: 'Harbour Bakery'";
}

/** With what Commander does not know: it compares the letters of a word with those of commands of the same level. */
function unknownCommand(message: string, command: Command): string {
  const [word = ""] = command.args;
  const sentence = inOurWords(message);
  const likeness = sentence.indexOf(" (Did you mean");
  const meant = meantCommand(word, command, { isLikeAnother: likeness >= 0 });
  if (meant === undefined) return sentence;
  return `${likeness < 0 ? sentence : sentence.slice(0, likeness)} (Did you mean ${meant}?)`;
}

/** `error: required option '--name <text>' not specified` → `--name <text> is missing.`, and the like. */
function inOurWords(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/^required option '(.+)' not specified$/, "$1 is missing.")
    .replace(/^missing required argument '(.+)'$/, "<$1> is missing.")
    .replace(/^option '(.+)' argument missing$/, "$1 needs a value.")
    .replace(/^unknown option '([^']+)'/, "There is no flag $1 here.")
    .replace(/^unknown command '([^']+)'/, "There is no command $1 here.")
    .replace(/^option '(.+)' argument '([\s\S]*)' is invalid\. /, "$1 cannot be “$2”. ")
    .replace(/^command-argument value '([\s\S]*)' is invalid for argument '(.+)'\. /, "<$2> cannot be “$1”. ")
    .replace("\n(Did you mean", " (Did you mean");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const seeHelp = (command: Command): Advice => leadingTo("See:", helpOf(pathOf(command)));

/** `gatehouse tenants create` */
export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
