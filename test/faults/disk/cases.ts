import { existsSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { readConfig } from "../../../src/config.ts";
import { withEmbedded } from "../../../src/roles/store/store-alone.ts";
import { runStoreCommand, type StoreCommand } from "../../../src/roles/store/store-commands.ts";
import { CannotStart, Failure } from "../../../src/runtime/basis/errors.ts";
import { SWEEP_BATCH, sweep } from "../../../src/runtime/database/sweeping.ts";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { findIdentity, type IdentityTables } from "../../../src/runtime/upkeep/store-identity.ts";
import { AGED_BEFORE, REPLACED } from "./fixtures.ts";

/** Something that an operator does with a store, on a disk that fails. */
export interface Case {
  /** Folder of the fixtures that each run gets a copy of. */
  readonly folder: string;
  work(directory: string, fixtures: string): Promise<unknown>;
  isRefusal(error: Error): boolean;
  /** Files that the work only reads. */
  sources(directory: string, fixtures: string): readonly string[];
  /** What is there afterwards: one of few words that the test knows. */
  state(directory: string, fixtures: string): Promise<string>;
}

const command = (
  verb: StoreCommand,
  directory: string,
  { given = undefined as string | undefined, plan = false } = {},
) =>
  runStoreCommand(verb, {
    given,
    flags: { json: true, plan, to: undefined },
    config: readConfig({ flags: { "data-directory": directory }, roles: [] }),
  });

const isCommandRefusal = (error: Error): boolean => error instanceof CannotStart && error.exitCode !== undefined;

/** The epoch of the store that a start would open, or what a start says. */
async function epoch(directory: string): Promise<string> {
  return withEmbedded(directory, async (store) => {
    const identity = await findIdentity(store.view<IdentityTables>());
    return `epoch ${identity?.epoch}`;
  }).catch((error: Error) => error.message);
}

/** How many entries the store has that were in the log of the replaced one. */
function ofLog(directory: string): number {
  const handle = new BetterSqlite3(join(directory, "gatehouse.sqlite"), { readonly: true });
  const query = handle.prepare<[], number>("select count(*) from audit_entries where action = 'log.only'").pluck();
  const count = query.get() ?? 0;
  handle.close();
  return count;
}

/** How many migrations the store has, or what a start says. */
async function level(directory: string): Promise<string> {
  return withEmbedded(directory, async () => {
    const handle = new BetterSqlite3(join(directory, "gatehouse.sqlite"), { readonly: true });
    const steps = handle.prepare("select count(*) from migration_ledger").pluck().get();
    handle.close();
    return `${steps} steps`;
  }).catch((error: Error) => error.message);
}

const backupPath = (fixtures: string) => join(fixtures, "backup.sqlite");

/** A file that is there is a whole store. */
function wholeCopy(path: string): string {
  if (!existsSync(path)) return "no file";
  const handle = new BetterSqlite3(path, { readonly: true });
  try {
    return `file: ${handle.pragma("integrity_check", { simple: true })}`;
  } finally {
    handle.close();
  }
}

const OLD = `select count(*) from audit_entries where at < ${AGED_BEFORE}`;
const YOUNG = `select count(*) from audit_entries where at >= ${AGED_BEFORE}`;

export const CASES: Readonly<Record<string, Case>> = {
  backup: {
    folder: "empty",
    work: (directory, fixtures) =>
      backUp(join(fixtures, "present", "gatehouse.sqlite"), join(directory, "b.sqlite"), new AbortController().signal),
    isRefusal: (error) => error instanceof Failure && error.reason === "backup_not_written",
    sources: (_, fixtures) => [join(fixtures, "present", "gatehouse.sqlite")],
    state: async (directory) => wholeCopy(join(directory, "b.sqlite")),
  },
  restore: {
    folder: "present",
    work: (directory, fixtures) => command("restore", directory, { given: backupPath(fixtures) }),
    isRefusal: isCommandRefusal,
    sources: (_, fixtures) => [backupPath(fixtures)],
    state: epoch,
  },
  "put back": {
    folder: "replaced",
    work: (directory) => command("restore", directory, { given: join(directory, REPLACED, "gatehouse.sqlite") }),
    isRefusal: isCommandRefusal,
    sources: (directory) => ["", "-wal"].map((suffix) => join(directory, REPLACED, `gatehouse.sqlite${suffix}`)),
    state: async (directory) => {
      const found = await epoch(directory);
      return existsSync(join(directory, "gatehouse.sqlite")) ? `${found}, ${ofLog(directory)} of the log` : found;
    },
  },
  restored: {
    folder: "present",
    work: (directory) => command("restored", directory),
    isRefusal: isCommandRefusal,
    sources: () => [],
    state: epoch,
  },
  migrate: {
    folder: "earlier",
    work: (directory) => command("migrate", directory),
    isRefusal: isCommandRefusal,
    sources: () => [],
    state: level,
  },
  plan: {
    folder: "earlier",
    work: (directory) => command("migrate", directory, { plan: true }),
    isRefusal: isCommandRefusal,
    sources: (directory) => [join(directory, "gatehouse.sqlite")],
    state: level,
  },
  sweep: {
    folder: "aged",
    work: (directory) =>
      withEmbedded(directory, (store) =>
        sweep(
          store.view(),
          { table: "audit_entries", key: "sequence", age: "at", inOrder: true, now: AGED_BEFORE },
          AGED_BEFORE,
          new AbortController().signal,
        ),
      ),
    // The loop notes it, and tries again in its next pass.
    isRefusal: (error) => error instanceof CannotStart || (error instanceof Failure && error.code === "UNAVAILABLE"),
    sources: () => [],
    state: (directory) =>
      withEmbedded(directory, async () => {
        const handle = new BetterSqlite3(join(directory, "gatehouse.sqlite"), { readonly: true });
        const [old, young] = [OLD, YOUNG].map((query) => handle.prepare<[], number>(query).pluck().get() ?? 0);
        const integrity = handle.pragma("integrity_check", { simple: true });
        handle.close();
        return `${(old ?? 0) / SWEEP_BATCH} batches left, ${young} young, ${integrity}`;
      }),
  },
};
