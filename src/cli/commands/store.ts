import { resolve } from "node:path";
import type { Command } from "commander";
import type { TableStatus } from "#generated/proto/gatehouse/store/v1/store.ts";
import type { Verb } from "../connection/verb.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { many, one } from "../output/outcome.ts";
import { shellWord } from "../output/terminal-text.ts";

/** A large store takes minutes. */
const BACKUP_DEADLINE_MS = 6 * 60 * 60 * 1000;

/** All pages of an embedded store are read. */
const STATUS_DEADLINE_MS = 10 * 60 * 1000;

const COLUMNS = [
  { heading: "table", cell: ({ name }: TableStatus) => name },
  { heading: "rows", cell: ({ rows }: TableStatus) => String(rows) },
  { heading: "bytes", cell: ({ bytes }: TableStatus) => String(bytes) },
  { heading: "rows a day", cell: ({ rowsPerDay }: TableStatus) => (rowsPerDay == null ? "-" : String(rowsPerDay)) },
  { heading: "removed within a day", cell: ({ removedWithinADay }: TableStatus) => String(removedWithinADay) },
  { heading: "kept", cell: ({ kept }: TableStatus) => kept },
];

/** `gatehouse store …`, as far as a running Gatehouse does it; the rest is in `programs.ts`. */
export function addStore(program: Command, verb: Verb): void {
  const noun = program.command("store").summary("the store: its tables, backup and restore");

  noun
    .command("status")
    .summary("show each table's rows, size and growth, and what is removed when")
    .action(
      verb<object>(async ({ store, call, shows }) => {
        const status = await store.getStatus({}, { ...call, deadlineMs: STATUS_DEADLINE_MS });
        const { kind, storeId, epoch, epochBeganAt, backedUpAt, tables } = status;
        const json = {
          kind,
          storeId,
          epoch,
          epochBeganAt: toJsonInstant(epochBeganAt),
          backedUpAt: toJsonInstant(backedUpAt),
          tables: tables.map((one) => ({ ...one, rowsPerDay: one.rowsPerDay ?? null })),
        };
        const shown = many(json, tables, COLUMNS, { ifNone: {} });
        const backup = toShownInstant(backedUpAt) ?? "never";
        return { ...shown, ...(shows !== "json" && { said: `Epoch ${epoch}. Last backup: ${backup}.` }) };
      }),
    );

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
          const path = file === "" ? file : resolve(file);
          const backup = await store.backUp({ path }, { ...call, deadlineMs: BACKUP_DEADLINE_MS });
          const { bytes, tables, rows, madeAt, epoch, sha256 } = backup;
          const facts = [
            ["file", path],
            ["shows", toShownInstant(madeAt)],
            ["bytes", String(bytes)],
            ["rows", `${rows} in ${tables} tables`],
            ["digest", `${path}.sha256, which belongs beside the file`],
          ] as const;
          return one({ path, bytes, tables, rows, madeAt: toJsonInstant(madeAt), epoch, sha256 }, facts, {
            said: "The backup is written and checked.",
            next: `to put it back, stop Gatehouse, then gatehouse store restore ${shellWord(path)}`,
          });
        },
        { path: "<file>" },
      ),
    );
}
