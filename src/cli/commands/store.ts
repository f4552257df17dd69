import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { MasterKey, SealedCounts, TableStatus } from "#generated/proto/gatehouse/store/v1/store.ts";
import { HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import { counted } from "#runtime/basis/text.ts";
import { present } from "../connection/answers.ts";
import type { Verb } from "../connection/verb.ts";
import { yesOption } from "../input/flags.ts";
import { type ConsentOptions, confirmed } from "../input/questions.ts";
import { leadingTo, run } from "../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { many, type OutcomeWords, one } from "../output/outcome.ts";
import type { Column } from "../output/table.ts";

/** A large store takes minutes. */
const BACKUP_DEADLINE_MS = 6 * HOUR_MS;

/** All pages of an embedded store are read. */
const STATUS_DEADLINE_MS = 10 * MINUTE_MS;

const COLUMNS: readonly Column<TableStatus>[] = [
  { heading: "table", cell: ({ name }) => name },
  { heading: "rows", cell: ({ rows, isEstimate }) => `${isEstimate ? "~" : ""}${rows}`, align: "right" },
  { heading: "bytes", cell: ({ bytes }) => String(bytes), align: "right" },
  { heading: "rows a day", cell: ({ rowsPerDay }) => rowsPerDay, align: "right" },
  {
    heading: "removed within a day",
    cell: ({ removedWithinADay }) => String(removedWithinADay),
    align: "right",
    canBeMissed: true,
  },
  { heading: "kept", cell: ({ kept }) => kept, canBeMissed: true },
];

/** Every stored value is opened and sealed, in batches. */
const RESEAL_DEADLINE_MS = 6 * HOUR_MS;

const KINDS = [
  ["signingKeys", "signing keys"],
  ["signingSecrets", "signing secrets"],
  ["extraHeaders", "extra headers"],
  ["storeIdentity", "store identity"],
] as const satisfies readonly (readonly [keyof SealedCounts, string])[];

const KEY_COLUMNS = [
  { heading: "master key", cell: ({ id }: MasterKey) => id },
  { heading: "here", cell: ({ place }: MasterKey) => placeOf(place) },
  ...KINDS.map(([kind, heading]) => ({ heading, cell: ({ sealed }: MasterKey) => String(present(sealed)[kind]) })),
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
        const { kind, storeId, epoch, epochBeganAt, backedUpAt, tables, removedAsOf } = status;
        const json = {
          kind,
          storeId,
          epoch,
          epochBeganAt: toJsonInstant(epochBeganAt),
          backedUpAt: toJsonInstant(backedUpAt),
          removedAsOf: toJsonInstant(removedAsOf),
          tables: tables.map((one) => ({ ...one, rowsPerDay: one.rowsPerDay ?? null })),
        };
        const shown = many(json, tables, COLUMNS, { ifNone: {} });
        const backup =
          kind === "postgres"
            ? "Backups are PostgreSQL's own."
            : `Last backup: ${toShownInstant(backedUpAt) ?? "never"}.`;
        const said = [`Epoch ${epoch}.`, backup, ...removalNote(removedAsOf)].join(" ");
        return { ...shown, ...(shows !== "json" && { said }) };
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
          const json = { path, bytes, tables, rows, madeAt: toJsonInstant(madeAt), epoch, sha256 };
          return one(json, facts, isElsewhere(path) ? WRITTEN_ELSEWHERE : writtenHere(path));
        },
        { path: "<file>" },
      ),
    );

  noun
    .command("master-keys")
    .summary("show which master key seals how many stored values")
    .description(
      "Shows each master key of the services process that answers, in the order of master-keys, and each other one that a stored value is sealed under: by an id that reveals nothing about the key. A key that seals nothing may still name refresh tokens, which are not stored: see docs/operations/master-keys.md before you remove it.",
    )
    .action(
      verb<object>(async ({ store, call }) => {
        const { keys } = await store.getMasterKeys({}, { ...call, deadlineMs: STATUS_DEADLINE_MS });
        const json = { keys: keys.map(({ id, place, sealed }) => ({ id, place: place ?? null, sealed })) };
        return many(json, keys, KEY_COLUMNS, { ifNone: {}, ...afterKeys(keys) });
      }),
    );

  noun
    .command("reseal")
    .summary("seal every stored value under the first master key; asks first")
    .description(
      "Seals every stored value under the first of master-keys, in batches, while Gatehouse runs and works. It may be interrupted and repeated. Every services process of the store must have that key in its list before: one without it cannot sign tokens or deliveries afterwards, and does not start (docs/operations/master-keys.md).",
    )
    .addOption(yesOption())
    .action(
      verb<ConsentOptions>(async (asked, options) => {
        const { store, call } = asked;
        const { keys } = await store.getMasterKeys({}, { ...call, deadlineMs: STATUS_DEADLINE_MS });
        const id = keys[0]?.id ?? "";
        await confirmed(asked, options, {
          says: `This seals every stored value under the master key ${id}. A services process of this store that does not have that key in its master-keys cannot open them afterwards.`,
          question: "Does every services process have it?",
        });
        const answer = await store.reseal({}, { ...call, deadlineMs: RESEAL_DEADLINE_MS });
        const { masterKeyId } = answer;
        const resealed = present(answer.resealed);
        const unopened = present(answer.unopened);
        const changedMeanwhile = present(answer.changedMeanwhile);
        const facts = [
          ["master key", masterKeyId],
          ["sealed again", countsText(resealed)],
          ["not opened", countsText(unopened)],
          ["changed meanwhile", countsText(changedMeanwhile)],
        ] as const;
        return one({ masterKeyId, resealed, unopened, changedMeanwhile }, facts, {
          said:
            total(unopened) > 0
              ? "No master key of this process opens some values. They are as they were; the log of services names each one."
              : "Every stored value was looked at.",
          next: run`gatehouse store master-keys`,
        });
      }),
    );
}

/** True where the services, which wrote the file, see another directory at its path than this command does. */
function isElsewhere(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // An account that may not look into the directory does not know.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

const writtenHere = (path: string): OutcomeWords => ({
  said: "The backup is written and checked.",
  next: leadingTo("to put it back, stop Gatehouse, then", run`gatehouse store restore ${path}`),
});

const WRITTEN_ELSEWHERE: OutcomeWords = {
  said: "The backup is written and checked, but it is not at that path here: the services see another directory there, as /tmp is with PrivateTmp of systemd, or any is in a container. Name one that they share with you.",
};

const removalNote = (asOf: Date | null | undefined): readonly string[] =>
  asOf == null
    ? []
    : [
        `Rows are removed as of ${toShownInstant(asOf)}, because the clock is far ahead of when the store was last in use: see docs/operations/retention.md.`,
      ];

const placeOf = (place: number | null | undefined): string =>
  place == null ? "missing here" : place === 1 ? "1, seals" : `${place}, opens`;

const total = (counts: SealedCounts): number => KINDS.reduce((sum, [kind]) => sum + counts[kind], 0);

/** `2 signing keys, 1 extra header` */
const countsText = (counts: SealedCounts): string =>
  KINDS.filter(([kind]) => counts[kind] > 0)
    .map(([kind, words]) => counted(counts[kind], words.replace(/s$/, ""), words))
    .join(", ") || "nothing";

function afterKeys(keys: readonly MasterKey[]): OutcomeWords {
  const sealing = keys.filter(({ place, sealed }) => place !== 1 && total(present(sealed)) > 0);
  if (sealing.length === 0) return { said: "Every stored value is sealed under the first master key." };
  if (sealing.some(({ place }) => place == null))
    return {
      said: "Some stored values are sealed under a master key that this process does not have: it cannot open them.",
    };
  return { next: leadingTo("when every services process has the first master key:", run`gatehouse store reseal`) };
}
