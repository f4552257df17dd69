import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CannotStart } from "#runtime/basis/errors.ts";
import { shellWord, wrap } from "#runtime/basis/terminal-lines.ts";
import { allSettings, type Config } from "../../config.ts";
import type { Answer, CommandFlags } from "./store-alone.ts";
import { commandFailure } from "./store-command-failure.ts";
import { copyToPostgres, migrateStore } from "./store-moves.ts";
import { restore, restored } from "./store-restores.ts";

export type StoreCommand = "restore" | "restored" | "migrate" | "copy";

interface Command {
  readonly work: (config: Config, given: string | undefined, flags: CommandFlags) => Promise<Answer>;
  /** What it takes besides settings and `--json`. */
  readonly takes: "a file" | "--plan" | "--to" | undefined;
}

/** What `gatehouse store …` does while no Gatehouse has the store open. */
const COMMANDS: Readonly<Record<StoreCommand, Command>> = {
  restore: { work: restore, takes: "a file" },
  restored: { work: restored, takes: undefined },
  migrate: { work: migrateStore, takes: "--plan" },
  copy: { work: copyToPostgres, takes: "--to" },
};

interface CommandOrder {
  readonly given: string | undefined;
  readonly flags: CommandFlags;
  readonly config: Config;
  /** The settings of the command line, for the command that starts the program afterwards. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Runs one command and prints its answer. @throws CannotStart. */
export async function runStoreCommand(command: StoreCommand, order: CommandOrder): Promise<void> {
  const { given, flags, config } = order;
  assertTaken(command, given, flags);
  const answer = await COMMANDS[command].work(config, given, flags).catch((error: unknown) => {
    throw commandFailure(command, error);
  });
  print(answer, order);
  answer.printed?.();
}

function print({ json, lines, next }: Answer, { flags, config, settings = {} }: CommandOrder): void {
  if (flags.json) return void process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  const width = Math.max(...lines.map(([title]) => title.length)) + 2;
  const typed = {
    serve: `gatehouse serve${asTyped(settings)}`,
    places: asTyped(placesOf(config, settings), DIRECTORIES),
  };
  for (const [title, text] of lines) {
    const shown = typeof text === "string" ? behind(width, text) : text(typed);
    process.stdout.write(`${title.padEnd(width)}${shown}\n`);
  }
  process.stderr.write(`\nNext: ${[...handBack(config["data-directory"]), next(typed)].join(", then ")}\n`);
}

/** Settings as they are typed, each with a space before it; a secret is left open. */
const asTyped = (settings: Readonly<Record<string, string>>, only = Object.keys(settings)): string =>
  Object.entries(settings)
    .filter(([name]) => only.includes(name))
    .map(([name, value]) => [`--${name}`, ...(value === "" ? [] : [SECRETS.has(name) ? "…" : shellWord(value)])])
    .map((words) => ` ${words.join(" ")}`)
    .join("");

/** By which a command finds the running program. */
const DIRECTORIES = ["data-directory", "socket-directory"];

/** What was typed; commands that ask the program take no configuration file, so then the place that it leads to. */
const placesOf = (config: Config, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  settings.config === undefined ? settings : { "socket-directory": config["socket-directory"] };

const SECRETS: ReadonlySet<string> = new Set(
  Object.entries(allSettings).flatMap(([name, one]) => ("secret" in one && one.secret ? [name] : [])),
);

/** A text behind a title, folded where a terminal is too narrow. */
function behind(width: number, text: string): string {
  const { isTTY, columns } = process.stdout;
  if (isTTY !== true || !columns) return text;
  return wrap(text, columns - width).join(`\n${" ".repeat(width)}`);
}

const ROOT = 0;

/** A Gatehouse of another account cannot open what root has made in its directory, and does not start. */
function handBack(directory: string): readonly string[] {
  if (process.geteuid?.() !== ROOT || !existsSync(directory)) return [];
  const { uid, gid } = statSync(directory);
  const hasRootMade = readdirSync(directory).some((name) => lstatSync(join(directory, name)).uid === ROOT);
  if (uid === ROOT || !hasRootMade) return [];
  return [`chown -R ${uid}:${gid} ${shellWord(directory)}: root has made files there, which its owner cannot read`];
}

/**
 * A caller who gives `restored` a file, or writes `plan` without its dashes, wants something else than what would be done
 * to the store at once.
 * @throws CannotStart naming a word or flag that the command would pass over.
 */
function assertTaken(command: StoreCommand, given: string | undefined, { plan, to }: CommandFlags): void {
  const { takes } = COMMANDS[command];
  const words = [
    ["a file", given],
    ["--plan", plan ? "--plan" : undefined],
    ["--to", to === undefined ? undefined : "--to"],
  ] as const;
  const [, stray] = words.find(([kind, word]) => word !== undefined && kind !== takes) ?? [];
  if (stray !== undefined)
    throw new CannotStart(`gatehouse store ${command} does not take ${stray}. Nothing was changed. See:`, {
      exitCode: 78,
      command: `gatehouse store ${command} --help`,
    });
}
