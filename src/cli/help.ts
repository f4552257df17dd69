import type { Command, Help } from "commander";
import { wrap } from "#runtime/basis/terminal-lines.ts";
import { isDeskTool } from "./desk-tools.ts";
import { exampleOf } from "./examples.ts";
import { paintFor } from "./output/paint.ts";
import type { Streams } from "./output/streams.ts";
import { isProgram } from "./programs.ts";
import { pathOf } from "./usage-error.ts";

/** Of help where there is room, whatever a terminal has. */
const WIDTH = 80;
/** A meaning that would get less than this beside its term goes below it. */
const MEANING_WIDTH_MIN = 24;
const INDENT = " ".repeat("Usage:   ".length);

type Items = readonly (readonly [term: string, meaning: string])[];
type Section = readonly [title: string, items: Items];

/** Formats help of this command and of all its later subcommands: description, then verbs, then flags. */
export function configureHelp(root: Command, { stdout, stderr }: Streams): void {
  const { strong } = paintFor(stdout);
  root
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // Mistakes are printed once, by the error that they become.
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(stdout.columns || WIDTH, WIDTH),
      getErrHelpWidth: () => WIDTH,
      // Titles are painted only if standard output takes colours, so nothing has to be stripped.
      getOutHasColors: () => true,
    })
    .configureHelp({
      styleTitle: strong,
      formatHelp(command, help) {
        const width = help.helpWidth ?? WIDTH;
        const sections = [...commandSections(command, help), ...flagSections(command, help)];
        return [
          `${paragraphs(sentence(help.commandDescription(command) || command.summary()), width)}\n`,
          `${strong("Usage:")} ${usage(command, width)}\n`,
          ...sections
            .filter(([, items]) => items.length > 0)
            .map(([title, items]) => `${strong(paragraphs(title, width))}\n${itemLines(items, width)}\n`),
          ...(command.parent === null ? [`${paragraphs(WORDS, width)}\n`] : []),
          ...endings(command, width).map(([title, text]) => `${strong(title)}\n${text}\n`),
        ].join("\n");
      },
    });
}

/** What ends the help of a command. */
function endings(command: Command, width: number): readonly (readonly [title: string, text: string])[] {
  const codes = ["Exit codes:", itemLines(exitCodes(command), width)] as const;
  if (command.parent === null) return [["Examples:", EXAMPLES.map((one) => shellLines(one, width)).join("\n")], codes];
  const example = exampleOf(pathOf(command).replace(/^gatehouse /, ""));
  return [...(example === undefined ? [] : [["Example:", shellLines(example, width)] as const]), codes];
}

const WORDS =
  "Words: an application is OAuth's client; a tenant is the gateway's client, one company on one instance. Commands take ids, names, e-mail addresses and labels.";

const EXAMPLES: readonly string[] = [
  'gatehouse tenants create --instance Europe --name "Harbour Bakery"',
  "gatehouse integrations list --json",
  "gatehouse people invite maren.dahl@nordlicht.example",
];

function exitCodes(command: Command): Items {
  if (command.parent === null) return ALL_EXIT_CODES;
  const own = OWN_EXIT_CODES[command.name()];
  if (own !== undefined && command.parent.parent === null) return own;
  return isProgram(command) && !isDeskTool(command) ? PROGRAM_EXIT_CODES : EXIT_CODES;
}

const ALL_EXIT_CODES: Items = [
  ["0", "done"],
  ["1", "refused by Gatehouse"],
  ["2", "wrong usage, or a name that is unknown or ambiguous; nothing was changed"],
  ["3", "Gatehouse is not running, or did not answer in time"],
  ["65", "this program cannot use the store, or the backup (serve, demo; of store: the same)"],
  ["78", "mistakes in the configuration (serve, demo, config; of store: restore, restored, migrate, copy)"],
];

const EXIT_CODES: Items = [
  ["0", "done"],
  ["1", "refused by Gatehouse"],
  ["2", "wrong usage, unknown name"],
  ["3", "Gatehouse is not running, or does not answer"],
];

const PROGRAM_EXIT_CODES: Items = [
  ["0", "ended as asked"],
  ["1", "failed"],
  ["65", "this program cannot use the store or the backup; repeating it does not help"],
  ["78", "mistakes in the configuration"],
];

const CONFIG_EXIT_CODES: Items = PROGRAM_EXIT_CODES.filter(([code]) => code !== "65");

const SERVING_EXIT_CODES: Items = [
  ["0", "ended as asked"],
  ["1", "failed"],
  ["65", "this program cannot use the store; another start does not help"],
  ["74", "the disk did not flush what was written; start it again"],
  ["75", "the store was restored meanwhile; start it again"],
  ["78", "mistakes in the configuration"],
];

/** Of commands of the root that end for reasons of their own. */
const OWN_EXIT_CODES: Readonly<Record<string, Items>> = {
  config: CONFIG_EXIT_CODES,
  serve: SERVING_EXIT_CODES,
  demo: SERVING_EXIT_CODES,
  listen: EXIT_CODES.with(1, ["1", "an answer was wrong (--exit-after), or Gatehouse refused"]),
  conform: [
    ["0", "every check that can be seen is passed"],
    ["1", "a check failed, or Gatehouse refused"],
    ["2", "wrong usage"],
    ["3", "Gatehouse cannot be reached, where it signs"],
  ],
};

/** A command on lines that fit, broken before flags as a shell allows it. */
function shellLines(command: string, width: number): string {
  const [first = "", ...rest] = command.split(/ (?=--)/);
  const lines = [`  ${first}`];
  for (const part of rest) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= width - 2) lines[lines.length - 1] = line;
    else lines.push(`    ${part}`);
  }
  return lines.join(" \\\n");
}

/** The command with its required arguments and flags; a flag is never split between lines. */
function usage(command: Command, width: number): string {
  if (command.parent === null || isProgram(command)) return `${pathOf(command)} ${command.usage()}`;
  const takes =
    command.commands.length > 0
      ? ["<verb>"]
      : command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const lines = [`Usage: ${pathOf(command)}`];
  for (const part of [...takes, ...needed, "[flags]"]) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= width) lines[lines.length - 1] = line;
    else lines.push(`${INDENT}${part}`);
  }
  return lines.join("\n").slice("Usage: ".length);
}

function commandSections(command: Command, help: Help): readonly Section[] {
  const groups = Map.groupBy(command.commands, (one) => one.helpGroup() || "Verbs:");
  return [...groups].map(([title, commands]) => [
    title,
    commands.map((one) => [one.name(), help.subcommandDescription(one)]),
  ]);
}

function flagSections(command: Command, help: Help): readonly Section[] {
  const isRoot = command.parent === null;
  const own = help.visibleOptions(command).filter(({ long }) => isRoot || long !== "--help");
  const groups = Map.groupBy(own, ({ helpGroupHeading }) => helpGroupHeading ?? "Flags:");
  const everywhere = isRoot || isProgram(command) ? [] : everywhereOptions(command);
  const toItems = (options: Command["options"]): Section[1] =>
    options.map(({ flags, description }) => [flags, description]);
  const places = help.visibleArguments(command).map((one) => [`<${one.name()}>`, one.description] as const);
  return [
    ["Takes:", places],
    ...[...groups].map(([title, options]) => [title, toItems(options)] as const),
    [EVERYWHERE, toItems(everywhere)],
  ];
}

/** Flags that the root has for all commands. */
export const EVERYWHERE = "Everywhere:";

const everywhereOptions = (command: Command): Command["options"] =>
  command.parent === null
    ? command.options.filter(({ helpGroupHeading }) => helpGroupHeading === EVERYWHERE)
    : everywhereOptions(command.parent);

/** Terms with what they mean beside them or, where a terminal is narrow, below them. */
function itemLines(items: Items, width: number): string {
  const longest = Math.max(...items.map(([term]) => term.length));
  const left = "  ".length + longest + "  ".length;
  const isBeside = width - left >= MEANING_WIDTH_MIN;
  const indent = " ".repeat(isBeside ? left : 6);
  return items
    .map(([term, meaning]) => {
      const lines = wrap(meaning, width - indent.length).map((line) => `${indent}${line}`);
      if (meaning === "") return `  ${term}`;
      return isBeside
        ? `  ${term.padEnd(longest)}  ${lines.join("\n").trimStart()}`
        : [`  ${term}`, ...lines].join("\n");
    })
    .join("\n");
}

const paragraphs = (text: string, width: number): string =>
  text
    .split("\n\n")
    .map((one) => wrap(one, width).join("\n"))
    .join("\n\n");

/** `make a tenant` → `Make a tenant.` */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
