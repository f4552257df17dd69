import type { Command, Help } from "commander";
import { wrap } from "#runtime/basis/terminal-lines.ts";
import { isDeskTool } from "./desk-tools.ts";
import { exampleOf } from "./examples.ts";
import { paintFor } from "./output/paint.ts";
import type { Streams } from "./output/streams.ts";
import { isProgram } from "./programs.ts";
import { pathOf } from "./usage-error.ts";

const WIDTH = 80;
const INDENT = " ".repeat("Usage:   ".length);

type Section = readonly [title: string, items: readonly (readonly [term: string, meaning: string])[]];

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
        const sections = [...commandSections(command, help), ...flagSections(command, help)];
        return [
          `${paragraphs(sentence(help.commandDescription(command) || command.summary()))}\n`,
          `${strong("Usage:")} ${usage(command)}\n`,
          ...sections.filter(([, items]) => items.length > 0).map((section) => formatSection(section, help)),
          ...endings(command).map(([title, text]) => `${strong(title)}\n${text}\n`),
        ].join("\n");
      },
    });
}

/** What ends the help of each command but the root, which has its own. */
function endings(command: Command): readonly (readonly [title: string, text: string])[] {
  if (command.parent === null) return [];
  const example = exampleOf(pathOf(command).replace(/^gatehouse /, ""));
  return [
    ...(example === undefined ? [] : [["Example:", shellLines(example)] as const]),
    ["Exit codes:", exitCodes(command)],
  ];
}

function exitCodes(command: Command): string {
  const own = OWN_EXIT_CODES[command.name()];
  if (own !== undefined && command.parent?.parent === null) return own;
  return isProgram(command) && !isDeskTool(command) ? PROGRAM_EXIT_CODES : EXIT_CODES;
}

const EXIT_CODES = `  0  done                        1  refused by Gatehouse
  2  wrong usage, unknown name   3  Gatehouse is not running, or does not answer`;

const PROGRAM_EXIT_CODES = "  0  ended as asked   1  failed   78  mistakes in the configuration";

const SERVING_EXIT_CODES = `  0   ended as asked
  1   failed
  74  the disk did not flush what was written; start it again
  75  the store was restored meanwhile; start it again
  78  mistakes in the configuration`;

/** Of commands of the root that end for reasons of their own. */
const OWN_EXIT_CODES: Readonly<Record<string, string>> = {
  serve: SERVING_EXIT_CODES,
  demo: SERVING_EXIT_CODES,
  conform: `  0  every check that can be seen is passed
  1  a check failed, or Gatehouse refused
  2  wrong usage
  3  Gatehouse cannot be reached, where it signs`,
};

/** A command on lines that fit, broken before flags as a shell allows it. */
function shellLines(command: string): string {
  const [first = "", ...rest] = command.split(/ (?=--)/);
  const lines = [`  ${first}`];
  for (const part of rest) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= WIDTH - 2) lines[lines.length - 1] = line;
    else lines.push(`    ${part}`);
  }
  return lines.join(" \\\n");
}

/** The command with its required arguments and flags; a flag is never split between lines. */
function usage(command: Command): string {
  if (command.parent === null || isProgram(command)) return `${pathOf(command)} ${command.usage()}`;
  const takes =
    command.commands.length > 0
      ? ["<verb>"]
      : command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const lines = ["Usage:"];
  for (const part of [pathOf(command), ...takes, ...needed, "[flags]"]) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
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

function formatSection([title, items]: Section, help: Help): string {
  const width = Math.max(...items.map(([term]) => term.length));
  const lines = items.map(([term, meaning]) => help.formatItem(term, width, meaning, help));
  return `${help.styleTitle(title)}\n${lines.join("\n")}\n`;
}

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((one) => wrap(one, WIDTH).join("\n"))
    .join("\n\n");

/** `make a tenant` → `Make a tenant.` */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export const HELP_AFTER = `
Words: an application is OAuth's client; a tenant is the gateway's client, one
company on one instance. Commands take ids, names, e-mail addresses and labels.

Examples:
  gatehouse tenants create --instance Europe --name "Harbour Bakery"
  gatehouse integrations list --json
  gatehouse people invite maren.dahl@nordlicht.example

Exit codes:
  0   done
  1   refused by Gatehouse
  2   wrong usage, or a name that is unknown or ambiguous; nothing was changed
  3   Gatehouse is not running, or did not answer in time
  78  mistakes in the configuration (serve, demo, config; of store: restore,
      restored, migrate, copy)`;
