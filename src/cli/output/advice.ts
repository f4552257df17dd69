import { folded, shellWord, type Terminal } from "#runtime/basis/terminal-lines.ts";
import { plain } from "./terminal-text.ts";

/** What to do: a sentence, or a command with the words that lead to it. Nothing looks for a command in a sentence. */
export type Advice = string | AdvisedCommand;

/** A command of this program that can be copied. */
export interface AdvisedCommand {
  /** The words before the command, with the colon; empty where the command says it all. */
  readonly sentence: string;
  /** As it is typed in a shell. */
  readonly command: string;
  /** A help is the same for every Gatehouse; every other command needs flags that say which one is meant. */
  readonly isHelp: boolean;
  /** The command is mentioned behind a sentence that is complete without it. */
  readonly isAside: boolean;
}

/** A command that is typed so; nothing of it comes from elsewhere. */
export const asTyped = (command: string): AdvisedCommand => ({
  sentence: "",
  command,
  isHelp: false,
  isAside: false,
});

/** A template of a command. Each value becomes one word of a shell; an unknown one becomes `…`, for the reader to fill in. */
export const run = (text: TemplateStringsArray, ...values: readonly (string | null | undefined)[]): AdvisedCommand =>
  asTyped(
    text.reduce((command, part, index) => {
      const value = values[index - 1];
      return `${command}${value === undefined || value === null ? "…" : shellWord(value)}${part}`;
    }),
  );

/** A command by its words. */
export const runWords = (words: readonly string[]): AdvisedCommand => asTyped(words.map(shellWord).join(" "));

export const helpOf = (path: string): AdvisedCommand => ({ ...asTyped(`${path} --help`), isHelp: true });

/** A sentence that ends with the command. */
export const leadingTo = (sentence: string, advised: AdvisedCommand): AdvisedCommand => ({ ...advised, sentence });

/** A sentence with the command in brackets behind it. */
export const withAside = (sentence: string, advised: AdvisedCommand): AdvisedCommand => ({
  ...advised,
  sentence,
  isAside: true,
});

/** The advice for this command line: its command finds the same Gatehouse. @param directories flags, each with a space before it. */
export const atSameGatehouse = (advice: Advice, directories: string): Advice =>
  typeof advice === "string" || advice.isHelp ? advice : { ...advice, command: `${advice.command}${directories}` };

/** The advice as one text. */
export function adviceText(advice: Advice): string {
  if (typeof advice === "string") return advice;
  return [advice.sentence, shownCommand(advice)].filter((part) => part !== "").join(" ");
}

/** The advice for a terminal, on several lines where it is too long; its command is never folded. */
export const adviceLine = (advice: Advice, terminal: Terminal): string =>
  typeof advice === "string"
    ? linesOf(advice, terminal)
    : folded(plain(advice.sentence), terminal, plain(shownCommand(advice)));

/** What was typed is repeated in some messages, with its line breaks. */
const linesOf = (text: string, terminal: Terminal): string =>
  text
    .split("\n")
    .map((line) => folded(plain(line), terminal))
    .join("\n");

const shownCommand = ({ command, isAside }: AdvisedCommand): string => (isAside ? `(${command})` : command);
