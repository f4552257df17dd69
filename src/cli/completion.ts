import { Argument, type Command, type Option } from "commander";
import { rootOf, type Verb } from "./connection/verb.ts";
import { offeredBy } from "./input/offered.ts";
import { isProgram } from "./programs.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const DESCRIPTION = `Prints a script that completes nouns, verbs, flags and their choices when Tab is pressed.

bash: put  source <(gatehouse completion bash)  into ~/.bashrc

zsh: put  source <(gatehouse completion zsh)  into ~/.zshrc, after compinit

fish: gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish`;

/** `gatehouse completion`; made of the commands themselves, so that it cannot name others. */
export function addCompletion(program: Command, verb: Verb): void {
  program
    .command("completion")
    .summary("print a script that completes commands in bash, zsh or fish")
    .description(DESCRIPTION)
    .addArgument(new Argument("<shell>", "bash, zsh or fish").choices(SHELLS))
    .action(
      verb<object>(async (_asked, _options, shell = "") => {
        const script = SCRIPTS[shell as (typeof SHELLS)[number]](placesOf(program));
        return { json: { shell, script }, text: () => script };
      }),
    );
}

interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** A flag that takes one of a few values. */
interface Choices {
  readonly flag: string;
  readonly values: readonly string[];
  /** Several behind one flag, too. */
  readonly takesSeveral: boolean;
}

/** A command, and what may follow it. */
interface Place {
  /** `applications create`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  /** Values that its argument is one of. */
  readonly values: readonly string[];
  readonly flags: readonly Word[];
  readonly choices: readonly Choices[];
}

function placesOf(command: Command, parents: readonly string[] = []): readonly Place[] {
  const root = rootOf(command);
  const shared = command === root || isProgram(command) ? [] : root.options;
  const options = [...command.options, ...shared].filter(({ long, hidden }) => long !== undefined && !hidden);
  const below = command.commands;
  const place: Place = {
    path: parents.join(" "),
    commands: below.map((one) => ({ word: one.name(), meaning: one.summary() || one.description() })),
    values: command.registeredArguments.flatMap((argument) => offeredBy(argument) ?? []),
    flags: [...options.map(toFlag), { word: "--help", meaning: "show help" }],
    choices: options.flatMap((option) => {
      const values = offeredBy(option);
      return values === undefined ? [] : [{ flag: option.long ?? "", values, takesSeveral: option.variadic }];
    }),
  };
  return [place, ...below.flatMap((one) => placesOf(one, [...parents, one.name()]))];
}

const toFlag = ({ long, description }: Option): Word => ({ word: long ?? "", meaning: description });

/** A text in single quotes, for all three shells; quotes inside become typographic ones. */
const quoted = (text: string): string => `'${text.replaceAll("'", "’").replaceAll("\\", "/").replaceAll("\n", " ")}'`;

const names = (words: readonly Word[]): string => words.map(({ word }) => word).join(" ");

const choiceRows = (places: readonly Place[], row: (where: string, values: readonly string[]) => string): string =>
  places.flatMap(({ path, choices }) => choices.map(({ flag, values }) => row(`${path} ${flag}`, values))).join("\n");

/** Flags that take several values, each with its command, as patterns of a `case`. */
const severalPattern = (places: readonly Place[]): string =>
  places
    .flatMap(({ path, choices }) =>
      choices.flatMap(({ flag, takesSeveral }) => (takesSeveral ? [quoted(`${path} ${flag}`)] : [])),
    )
    .join(" | ");

function bashScript(places: readonly Place[]): string {
  return `# Completion of gatehouse for bash: source <(gatehouse completion bash)
_gatehouse() {
  local at="" word last="" commands flags index
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ "$word" == -* ]] && last="$word"
    _gatehouse_place "\${at:+$at }$word" && at="\${at:+$at }$word"
  done
  case "$at $last" in
    ${severalPattern(places)}) [[ "$current" == -* ]] || previous="$last" ;;
  esac
  case "$at $previous" in
${choiceRows(places, (where, values) => `    ${quoted(where)}) COMPREPLY=($(compgen -W ${quoted(values.join(" "))} -- "$current")); return ;;`)}
  esac
  _gatehouse_place "$at"
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n "$commands" && "$previous" != -* ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}
_gatehouse_place() {
  case "$1" in
${places.map(({ path, commands, values, flags }) => `    ${quoted(path)}) commands=${quoted([names(commands), ...values].join(" ").trim())} flags=${quoted(names(flags))} ;;`).join("\n")}
    *) return 1 ;;
  esac
}
complete -o default -F _gatehouse gatehouse
`;
}

function zshScript(places: readonly Place[]): string {
  const described = (words: readonly Word[]): string =>
    words.map(({ word, meaning }) => quoted(`${word}:${meaning.replaceAll(":", ",")}`)).join(" ");
  return `#compdef gatehouse
# Completion of gatehouse for zsh: source <(gatehouse completion zsh), after compinit.
_gatehouse() {
  local at="" word last="" previous="\${words[CURRENT-1]}"
  local -a commands flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && last="$word"
    _gatehouse_place "\${at:+$at }$word" && at="\${at:+$at }$word"
  done
  case "$at $last" in
    ${severalPattern(places)}) [[ "$PREFIX" == -* ]] || previous="$last" ;;
  esac
  case "$at $previous" in
${choiceRows(places, (where, values) => `    ${quoted(where)}) compadd -- ${values.map(quoted).join(" ")}; return ;;`)}
  esac
  _gatehouse_place "$at"
  if [[ "$PREFIX" == -* ]]; then
    _describe flag flags
  elif (( \${#commands} )) && [[ "$previous" != -* ]]; then
    _describe command commands
  else
    _files
  fi
}
_gatehouse_place() {
  case "$1" in
${places.map(({ path, commands, values, flags }) => `    ${quoted(path)}) commands=(${[described(commands), ...values.map(quoted)].join(" ").trim()}) flags=(${described(flags)}) ;;`).join("\n")}
    *) return 1 ;;
  esac
}
compdef _gatehouse gatehouse
`;
}

function fishScript(places: readonly Place[]): string {
  const rule = (path: string, rest: string) => `complete -c gatehouse -n ${quoted(`__gatehouse_at "${path}"`)} ${rest}`;
  const rows = places.flatMap(({ path, commands, values, flags, choices }) => [
    ...commands.map(({ word, meaning }) => rule(path, `-f -a ${quoted(word)} -d ${quoted(meaning)}`)),
    ...values.map((value) => rule(path, `-f -a ${quoted(value)}`)),
    ...flags.map(({ word, meaning }) => {
      const { values: of } = choices.find(({ flag }) => flag === word) ?? {};
      const takes = of === undefined ? "" : ` -x -a ${quoted(of.join(" "))}`;
      return rule(path, `-l ${word.slice(2)}${takes} -d ${quoted(meaning)}`);
    }),
    ...choices.flatMap(({ flag, values: of, takesSeveral }) =>
      takesSeveral
        ? [`complete -c gatehouse -n ${quoted(`__gatehouse_gives "${path}" ${flag}`)} -f -a ${quoted(of.join(" "))}`]
        : [],
    ),
  ]);
  return `# Completion of gatehouse for fish: gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish
function __gatehouse_at
  set -l places ${places.map(({ path }) => quoted(path)).join(" ")}
  set -l at ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    contains -- "$next" $places; and set at "$next"
  end
  test "$at" = "$argv[1]"
end
function __gatehouse_gives
  set -l flags (string match -- "-*" (commandline -opc))
  __gatehouse_at "$argv[1]"; and test "$flags[-1]" = "$argv[2]"
end
${rows.join("\n")}
`;
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
