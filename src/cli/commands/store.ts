import { resolve } from "node:path";
import type { Command } from "commander";
import type { Verb } from "../connection/verb.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { one } from "../output/outcome.ts";
import { shellWord } from "../output/terminal-text.ts";

/** A large store takes minutes. */
const BACKUP_DEADLINE_MS = 6 * 60 * 60 * 1000;

/** `gatehouse store …`, as far as a running Gatehouse does it; the rest is in `programs.ts`. */
export function addStore(program: Command, verb: Verb): void {
  const noun = program.command("store").summary("the store: backup and restore");

  noun
    .command("backup")
    .summary("write a checked copy of the embedded store to a new file")
    .description(
      "Writes a checked copy of the embedded store to a new file, while Gatehouse runs and works. The master key is not in it: keep a copy of master.key, or of the master-keys, apart.",
    )
    .argument("<file>", "on the machine of the services; a file that exists is not overwritten")
    .action(
      verb<object>(
        async ({ store, call }, _options, file = "") => {
          const path = resolve(file);
          const backup = await store.backUp({ path }, { ...call, deadlineMs: BACKUP_DEADLINE_MS });
          const { bytes, tables, rows, madeAt, epoch } = backup;
          const facts = [
            ["file", path],
            ["shows", toShownInstant(madeAt)],
            ["bytes", String(bytes)],
            ["rows", `${rows} in ${tables} tables`],
          ] as const;
          return one({ path, bytes, tables, rows, madeAt: toJsonInstant(madeAt), epoch }, facts, {
            said: "The backup is written and checked.",
            next: `gatehouse store restore ${shellWord(path)}, once Gatehouse is stopped`,
          });
        },
        { path: "<file>" },
      ),
    );
}
