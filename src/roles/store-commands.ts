import type { Config } from "../config.ts";
import type { CommandFlags } from "./store-alone.ts";
import { commandFailure } from "./store-command-failure.ts";
import { copyToPostgres, migrateStore } from "./store-moves.ts";
import { restore, restored } from "./store-restores.ts";

/** What `gatehouse store …` does while no Gatehouse has the store open. */
const COMMANDS = { restore, restored, migrate: migrateStore, copy: copyToPostgres } as const;

export type StoreCommand = keyof typeof COMMANDS;

/**
 * Runs one command and prints its answer.
 * @param given what comes before the settings: the file.
 * @throws CannotStart.
 */
export async function runStoreCommand(
  command: StoreCommand,
  {
    given,
    flags,
    config,
  }: { readonly given: string | undefined; readonly flags: CommandFlags; readonly config: Config },
): Promise<void> {
  const { json, lines, next } = await COMMANDS[command](config, given, flags).catch((error: unknown) => {
    throw commandFailure(command, error);
  });
  if (flags.json) return void process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  const width = Math.max(...lines.map(([title]) => title.length)) + 2;
  for (const [title, text] of lines) process.stdout.write(`${title.padEnd(width)}${text}\n`);
  process.stderr.write(`\nNext: ${next}\n`);
}
