import { statSync } from "node:fs";
import { sql } from "kysely";
import { CannotStart } from "#runtime/basis/errors.ts";
import type { Store } from "#runtime/database/database.ts";
import { openPostgres } from "#runtime/database/postgres/postgres.ts";
import { openSqlite } from "#runtime/database/sqlite/sqlite.ts";
import {
  isMarkedOpen,
  markStoreClosed,
  markStoreOpen,
  prepareStoreFile,
  settleMark,
  storePath,
} from "#runtime/database/sqlite/store-file.ts";
import { lockStore } from "#runtime/database/sqlite/store-lock.ts";
import type { Config } from "../../config.ts";
import { deadlinesOf } from "../opened-store.ts";

/** Flags that are not settings. */
export interface CommandFlags {
  readonly json: boolean;
  readonly plan: boolean;
  readonly to: string | undefined;
}

/** Words of this command line that the commands of an answer repeat, so that they find the same store. */
export interface TypedAgain {
  /** `gatehouse serve` with the settings that were given; a secret is left open. */
  readonly serve: string;
  /** The flags by which a command finds the running program, each with a space before it. */
  readonly places: string;
}

type Command = (typed: TypedAgain) => string;

/** What a command prints. */
export interface Answer {
  readonly json: object;
  /** For people: what each line is, and what it is about. A command is there to be copied, and is never folded. */
  readonly lines: readonly (readonly [title: string, text: string | Command])[];
  readonly next: Command;
  /** Called once all of it is printed. */
  readonly printed?: () => void;
}

const noStore = (directory: string): CannotStart =>
  new CannotStart(`There is no store in ${directory}. Set data-directory.`);

/** @throws CannotStart when the directory has no embedded store, or none that this account can see. */
export function assertStore(directory: string): void {
  try {
    // Not existsSync: what this account may not look at is not there for it.
    if (statSync(storePath(directory), { throwIfNoEntry: false }) === undefined) throw noStore(directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof CannotStart || code === undefined) throw error;
    throw new CannotStart(
      `This account may not look into ${directory} (${code}). Run the command as the account that runs Gatehouse.`,
      { cause: error },
    );
  }
}

/** Opens the embedded store for this command alone, and closes it as a whole. */
export async function withEmbedded<T>(directory: string, work: (store: Store) => Promise<T>): Promise<T> {
  const lock = lockStore(directory);
  try {
    if (prepareStoreFile(directory)) throw noStore(directory);
    let isClosed: boolean | undefined;
    const store = openSqlite(storePath(directory), {
      beforeClosing() {
        isClosed = markStoreClosed(directory);
      },
      afterClosing() {
        if (isClosed === false) settleMark(directory);
      },
    });
    try {
      markStoreOpen(directory);
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

/** Opens a store of PostgreSQL by one connection, for this command alone, and closes it. */
export async function withPostgres<T>(url: string, config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openPostgres(url, { connections: 1, deadlines: deadlinesOf(config) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What a command says of an embedded store that it could not close as one file; nothing otherwise. */
export const logLines = (directory: string): Answer["lines"] =>
  isMarkedOpen(directory)
    ? [
        [
          "log",
          "was not copied into gatehouse.sqlite, as on a full disk: gatehouse.sqlite-wal belongs to the store. Free space; the next start copies it",
        ],
      ]
    : [];

/**
 * Counts the connections of other programs.
 * @param own of this command, by its process of the server, besides the one that asks.
 */
const othersConnected = (own: number): string =>
  `select count(*) as count from pg_stat_activity
   where datname = current_database() and application_name like 'gatehouse%' and pid not in (pg_backend_pid(), ${own})`;

/**
 * Other programs that have the store open would go on in the old epoch. The server does not show the schemas of
 * connections, so one with a store in another schema counts.
 */
export async function assertUnused(store: Store): Promise<void> {
  const { rows } = await sql.raw<{ readonly count: string }>(othersConnected(0)).execute(store.view());
  if (Number(rows[0]?.count) > 0)
    throw new CannotStart(
      "Another Gatehouse has the store open. Stop every services process of this database first, one with a store in another schema too. Nothing was changed.",
    );
}

/**
 * Another program that has begun with the target of a copy since its tables were made.
 * @param own connection that made them, which the server may still show.
 */
export const assertTargetUnused =
  (own: number) =>
  async (query: (statement: string) => Promise<{ readonly rows: readonly object[] }>): Promise<void> => {
    const [found] = (await query(othersConnected(own))).rows as readonly { readonly count: string }[];
    if (Number(found?.count) > 0)
      throw new CannotStart(
        "Another Gatehouse has opened the target meanwhile. Stop every services process, and name a database that is empty. No row was copied.",
      );
  };

/** Wrong words of a command. */
export const usage = (form: string): CannotStart =>
  new CannotStart("The command is:", { exitCode: 78, command: `gatehouse store ${form} [--<setting> <value> …]` });
