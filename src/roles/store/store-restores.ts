import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#runtime/basis/clock.ts";
import { CannotStart } from "#runtime/basis/errors.ts";
import { createMetrics } from "#runtime/basis/metrics.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { lookAtTables } from "#runtime/database/foreign-table.ts";
import { migrate } from "#runtime/database/migrations.ts";
import { openPostgres } from "#runtime/database/postgres.ts";
import { openSqlite } from "#runtime/database/sqlite.ts";
import { storeClock } from "#runtime/database/store-clock.ts";
import { removeEmptyLog, storePath } from "#runtime/database/store-file.ts";
import { lockStore } from "#runtime/database/store-lock.ts";
import { actorOf } from "#runtime/rpc/call.ts";
import { machineAccount } from "#runtime/rpc/machine-account.ts";
import { createSealer, type Sealer } from "#runtime/sealing/sealing.ts";
import {
  actionsAfter,
  type ErasedIn,
  OBJECTS_MAX,
  type PresentStore,
  readPresentStore,
  type UndoneActions,
} from "#runtime/upkeep/replaced-store.ts";
import { stageBackup } from "#runtime/upkeep/staged-backup.ts";
import {
  beginEpoch,
  followingEpoch,
  type IdentityTables,
  identifyStore,
  leaveNumbersOut,
} from "#runtime/upkeep/store-identity.ts";
import { isOpened } from "#runtime/upkeep/store-proof.ts";
import { replaceStoreFile, undoInterruptedReplacement } from "#runtime/upkeep/store-replacement.ts";
import { undoneErasures } from "#runtime/upkeep/undone-erasures.ts";
import { createWake } from "#runtime/wake/wake.ts";
import type { Config } from "../../config.ts";
import { restoredRepository } from "../../sign-on/services.ts";
import { webhooksRestored } from "../../webhooks/services.ts";
import { deadlinesOf, masterKeysOf, migrations, SEALED } from "../services.ts";
import {
  type Answer,
  assertStore,
  assertUnused,
  logLines,
  type TypedAgain,
  usage,
  withEmbedded,
} from "./store-alone.ts";

/** Puts a backup in the place of the embedded store, in a new epoch (R-X247). */
export async function restore(config: Config, file: string | undefined): Promise<Answer> {
  if (file === undefined) throw usage("restore <file>");
  if (config["store-url"] !== undefined)
    throw new CannotStart(
      "The store is PostgreSQL. Restore it with PostgreSQL's own tools, and then run: gatehouse store restored",
      { exitCode: 78 },
    );
  const directory = config["data-directory"];
  const lock = lockStore(directory);
  try {
    const sealer = createSealer(masterKeysOf(config, { mayMake: false, sealed: "backup" }), systemRandom);
    undoInterruptedReplacement(directory);
    const present = readPresentStore(storePath(directory));
    const staged = await stageBackup(file, directory, () => {
      removeEmptyLog(directory);
      lock.release();
      process.stderr.write(INTERRUPTED);
    });
    try {
      const { lastEntry = 0 } = readPresentStore(staged.path) ?? {};
      const store = openSqlite(staged.path);
      const done = await beginAgain(store, { config, sealer, present })
        .catch((error: unknown) => {
          throw error instanceof CannotStart ? notRestored(file, error) : error;
        })
        .finally(() => store.close());
      await staged.complete();
      // From here to the answer nothing waits: a signal comes too late, and what was done is said.
      const folder = replaceStoreFile(directory, staged.path, systemClock.now());
      return describeRestored(done, file, {
        folder,
        hasDigest: staged.hasDigest,
        undone: undoneIn(folder, present, lastEntry),
        erased: undoneErasures(directory),
      });
    } finally {
      staged.remove();
    }
  } finally {
    lock.release();
  }
}

const INTERRUPTED = "gatehouse: Interrupted. Nothing was changed, and the copy that was begun is removed.\n";

/** What is wrong with the store in a backup, which was looked at in a copy. */
const notRestored = (file: string, { message, cause, exitCode }: CannotStart): CannotStart =>
  new CannotStart(`${file} was not restored. ${message} Nothing was changed.`, { cause, exitCode });

/** Begins a new epoch in a store that other tools have set back: a PostgreSQL, or the disk of an embedded store. */
export async function restored(config: Config): Promise<Answer> {
  // Before the master key is asked for: without a store it is no use.
  if (config["store-url"] === undefined) assertStore(config["data-directory"]);
  else if (config["master-keys"] === undefined && !existsSync(join(config["data-directory"], "master.key")))
    throw new CannotStart(
      "master-keys is missing: the PostgreSQL store is sealed with them. Give those that its services have, by master-keys-file. Nothing was changed.",
      { exitCode: 78 },
    );
  const sealer = createSealer(masterKeysOf(config, { mayMake: false }), systemRandom);
  const url = config["store-url"];
  if (url === undefined) {
    const directory = config["data-directory"];
    const done = await withEmbedded(directory, async (store) =>
      describeRestored(await beginAgain(store, { config, sealer }), storePath(directory)),
    );
    return { ...done, lines: [...done.lines, ...logLines(directory)] };
  }
  const store = await openPostgres(url, { connections: 1, deadlines: deadlinesOf(config) });
  try {
    await assertUnused(store);
    // A wrong database, schema or port would be given tables, and what was used stay good in the store that was meant.
    const { hasLedger } = await lookAtTables(store.view());
    if (!hasLedger)
      throw new CannotStart(
        "There is no store of Gatehouse in this database. Set store-url to the database, schema and port of the store that was set back. Nothing was changed.",
      );
    return describeRestored(await beginAgain(store, { config, sealer }), "the PostgreSQL store");
  } finally {
    await store.close();
  }
}

interface BeginningAgain {
  readonly config: Config;
  readonly sealer: Sealer;
  /** The store that is replaced, if it can be read. */
  readonly present?: PresentStore | undefined;
}

interface BegunAgain {
  readonly storeId: string;
  readonly epoch: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly deliveriesSuspended: number;
}

/** Migrates the store and ends, in one transaction, whatever may have been used since the moment that it shows. */
async function beginAgain(store: Store, { config, sealer, present }: BeginningAgain): Promise<BegunAgain> {
  // A store that others share keeps its own time; the machine that restores it may have another one.
  const { clock } = await storeClock(store, createMetrics());
  await migrate(store, migrations, clock.now());
  const db = store.view<IdentityTables>();
  const shared = { store, clock, random: systemRandom, wake: createWake() };
  // Of two stores under one master key the older one may be from before stores had an identity.
  const isOfPresent = present?.proof !== undefined && isOpened(present.proof, sealer);
  const identity = await identifyStore(db, {
    sealer,
    sealed: SEALED,
    random: systemRandom,
    now: clock.now(),
    storeId: isOfPresent ? present.storeId : undefined,
  });
  const { storeId } = identity;
  if (present?.storeId !== undefined && storeId !== present.storeId)
    throw new CannotStart(
      "It belongs to another installation than the store in the data directory. Set data-directory to that of the backup, or to an empty one with its master.key.",
    );
  const next = followingEpoch(identity, present, clock.now());
  const webhooks = webhooksRestored({ ...shared, settings: config.of.webhooks });
  const changes = createChanges<IdentityTables>(shared);
  await changes.run(({ db: tx }) => leaveNumbersOut(tx, next.beganAt, webhooks.numberedForOthers, present?.numbers));
  await webhooks.prepare();
  return changes.run(
    async ({ db: tx, at, audit }) => {
      const { epoch } = next;
      await beginEpoch(tx, next);
      const ended = { ...(await restoredRepository.endAll(tx, at)) };
      const deliveriesSuspended = await webhooks.suspendAll(tx, at);
      const facts = { epoch, ...ended, deliveriesSuspended };
      const actor = actorOf("operator", { "operator-account": machineAccount() });
      await audit({ actor, action: "store.restore", object: storeId, facts });
      return { storeId, epoch, ended, deliveriesSuspended };
    },
    { alone: true },
  );
}

/** What was done in the store before; `undefined` when there was none, or it is from before stores had an identity. */
function undoneIn(
  folder: string | undefined,
  present: PresentStore | undefined,
  lastEntry: number,
): UndoneActions | undefined {
  if (folder === undefined || present === undefined) return undefined;
  if (present.isIdentityRead && present.storeId === undefined) return undefined;
  return actionsAfter(storePath(folder), lastEntry, REPEATED_BY_HAND);
}

interface Replaced {
  readonly folder: string | undefined;
  /** Of the backup: a digest was beside it, and its bytes have it. */
  readonly hasDigest: boolean;
  readonly undone: UndoneActions | undefined;
  /** What was erased in stores that restores have replaced, and is back. */
  readonly erased: ErasedIn;
}

const WORDS: Readonly<Record<string, string>> = {
  sessions: "sessions",
  families: "token families",
  codes: "codes",
  links: "password links",
  signInsUnderWay: "sign-ins under way",
};

const MATCHES = "the backup is, byte for byte, what was written";
const MISSING = "no .sha256 file is beside the backup, so its structure alone was checked";

/** By the beginning of an id, whose commands erase it. */
const NOUNS: Readonly<Record<string, string>> = {
  person: "people",
  user: "users",
  worker: "workers",
  client: "tenants",
  unit: "units",
  unittype: "unit-types",
};

/** Actions that ended or replaced something which a restore makes good again, and which the platform does not send again. */
export const REPEATED_BY_HAND: readonly string[] = [
  "apiKey.revoke",
  "application.delete",
  "application.disable",
  "application.endPreviousSecret",
  "application.removeRedirectUri",
  "application.rotateSecret",
  "application.update",
  "instanceIntegration.revoke",
  "instanceIntegration.unconfigure",
  "person.disable",
  "signingKey.revoke",
  "subscription.delete",
  "subscription.disable",
  "subscription.pause",
  "subscription.revokeSecret",
  "subscription.rotateSecret",
  "subscription.update",
  "user.disable",
];

const NOTHING_ERASED: ErasedIn = { ids: [], unread: [] };

/** What the restore has undone, as far as the store before can be read. */
function undoneLines(undone: UndoneActions | undefined): Answer["lines"] {
  if (undone === undefined) return [];
  const { counts, objects, unread } = undone;
  if (unread.length > 0) return [["undone", `is not known: the store before cannot be read (${unread.join("; ")})`]];
  if (counts.size === 0) return [];
  return [
    ["undone", [...counts].map(([action, count]) => `${action} ${count}`).join(", ")],
    ...[...objects].map(([action, ids]) => {
      const named = ids.slice(0, OBJECTS_MAX).join(", ");
      return ["repeat", `${action} ${named}${ids.length > OBJECTS_MAX ? " and others" : ""}`] as const;
    }),
  ];
}

const eraseAgain =
  (id: string) =>
  ({ places }: TypedAgain): string =>
    `gatehouse ${NOUNS[id.split("_")[0] ?? ""]} erase ${id}${places}`;

function describeRestored(
  { storeId, epoch, ended, deliveriesSuspended }: BegunAgain,
  what: string,
  replaced?: Replaced,
): Answer {
  const { folder, undone, erased = NOTHING_ERASED } = replaced ?? {};
  const unread = [...new Set([...(undone?.unread ?? []), ...erased.unread])];
  const list = Object.entries(ended).map(([name, count]) => `${count} ${WORDS[name] ?? name}`);
  return {
    json: {
      storeId,
      epoch,
      ended,
      deliveriesSuspended,
      ...(replaced && {
        replaced: folder ?? null,
        undone: undone === undefined || undone.unread.length > 0 ? null : Object.fromEntries(undone.counts),
        repeat: Object.fromEntries(
          [...(undone?.objects ?? [])].map(([action, ids]) => [action, ids.slice(0, OBJECTS_MAX)]),
        ),
        erased: erased.ids,
        unread,
        digest: replaced.hasDigest ? "matches" : "missing",
      }),
    },
    lines: [
      ["restored", `${what}; this is epoch ${epoch}`],
      ...(replaced === undefined ? [] : [["digest", replaced.hasDigest ? MATCHES : MISSING] as const]),
      ["ended", list.join(", ")],
      ["suspended", `${deliveriesSuspended} deliveries, which may have been delivered since`],
      ...undoneLines(undone),
      ...erased.ids.map((id) => ["erase again", eraseAgain(id)] as const),
      ...erased.unread.map(
        (what) =>
          [
            "erase again",
            `whatever was erased in a store that cannot be read (${what}): see “What an erasure does not reach” in docs/operations/personal-data.md`,
          ] as const,
      ),
      ...(folder === undefined
        ? []
        : [
            ["before", `the store that was here is in ${folder}`] as const,
            [
              "then remove",
              () =>
                `rm -r ${folder}: it keeps people ${erased.ids.length > 0 ? "who were erased since" : "whom no erasure reaches"}`,
            ] as const,
          ]),
    ],
    next: ({ serve, places }) =>
      deliveriesSuspended === 0
        ? serve
        : `${serve}, then gatehouse deliveries release${places}, or the same with --cancel`,
  };
}
