import { existsSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { storePath } from "../database/sqlite/store-file.ts";
import type { IdentityTables, ReplacedEpoch } from "./store-identity.ts";
import { replacedFolders } from "./store-replacement.ts";

/** A store that a restore replaces, read fact by fact: it may be damaged, which is a reason to restore. */
interface StoreReading {
  /** `undefined` when what the fact is read from cannot be read; `unread` names it then. */
  fact<T>(source: string, read: (handle: BetterSqlite3.Database) => T): T | undefined;
  /** What could not be read and why, for people, for example `audit_entries: database disk image is malformed`. */
  readonly unread: readonly string[];
}

/** Answers what `ask` answers; `undefined` when there is no store. */
function readStore<T>(path: string, ask: (reading: StoreReading) => T): T | undefined {
  if (!existsSync(path)) return undefined;
  const unread: string[] = [];
  let handle: BetterSqlite3.Database | undefined;
  try {
    return ask({
      unread,
      fact(source, read) {
        try {
          handle ??= new BetterSqlite3(path, { readonly: true });
          return read(handle);
        } catch (error) {
          unread.push(`${source}: ${(error as Error).message}`);
          return undefined;
        }
      },
    });
  } finally {
    handle?.close();
  }
}

/** What a store says of itself, as far as it can be read. */
export interface PresentStore extends ReplacedEpoch {
  /** `undefined` when it has none, since it is from before stores had an identity, and when it cannot be read. */
  readonly storeId: string | undefined;
  /** Sealed under its master key. */
  readonly proof: Buffer | undefined;
  readonly isIdentityRead: boolean;
  /** Number of its last audit entry. */
  readonly lastEntry: number;
}

type IdentityRow = Pick<IdentityTables["store_identities"], "store_id" | "proof" | "epoch" | "epoch_began_at">;

/** `undefined` when there is no store. */
export const readPresentStore = (path: string): PresentStore | undefined =>
  readStore(path, (reading) => {
    const identity = identityIn(reading);
    const numbers = reading.fact("sqlite_sequence", (handle) =>
      handle.prepare<[], [string, number]>("select name, seq from sqlite_sequence").raw().all(),
    );
    const lastEntry = reading.fact("audit_entries", (handle) =>
      handle.prepare<[], number>("select coalesce(max(sequence), 0) from audit_entries").pluck().get(),
    );
    return {
      storeId: identity?.row?.store_id,
      proof: identity?.row?.proof,
      isIdentityRead: identity !== undefined,
      epoch: identity?.row?.epoch ?? 1,
      epochBeganAt: new Date(identity?.row?.epoch_began_at ?? 0),
      numbers: new Map(numbers),
      lastEntry: lastEntry ?? 0,
    };
  });

/**
 * Paths of the stores of this installation that restores have replaced in this directory, in their order, with the number of
 * the last audit entry of each, by which they are ordered: a clock that was ahead or behind has named a folder wrongly. One
 * whose identity cannot be read was in this directory, as those of this installation are.
 */
export function replacedStores(directory: string): readonly { readonly path: string; readonly lastEntry: number }[] {
  const storeId = readPresentStore(storePath(directory))?.storeId;
  const stores = replacedFolders(directory).flatMap((folder) => {
    const path = storePath(folder);
    const replaced = readPresentStore(path);
    if (replaced === undefined || (replaced.isIdentityRead && replaced.storeId !== storeId)) return [];
    return [{ path, lastEntry: replaced.lastEntry }];
  });
  return stores.toSorted((one, other) => one.lastEntry - other.lastEntry);
}

/** The row is `undefined` in a store from before there were identities; the answer, when it cannot be read. */
const identityIn = (reading: StoreReading): { readonly row: IdentityRow | undefined } | undefined =>
  reading.fact("store_identities", (handle) => {
    const known = handle.prepare("select 1 from sqlite_schema where name = 'store_identities'").get() !== undefined;
    return {
      row: known
        ? handle.prepare<[], IdentityRow>("select store_id, proof, epoch, epoch_began_at from store_identities").get()
        : undefined,
    };
  });

/** What was done in a store that is replaced; `unread` when that cannot be read any more. */
export interface UndoneActions {
  /** How often, by action. */
  readonly counts: ReadonlyMap<string, number>;
  /** Ids of what the actions to repeat were done to, by action; one more than `OBJECTS_MAX` where they are more. */
  readonly objects: ReadonlyMap<string, readonly string[]>;
  readonly unread: readonly string[];
}

/** Folders of replaced stores that cannot say all that was done in them: each restore reads them until they are removed. */
export interface DamagedFolders {
  readonly damaged: readonly string[];
}

/** How many ids of each action a restore names. */
export const OBJECTS_MAX = 20;

/** Number of the last entry that a restored store has of its backup; what follows begins with the restore. */
export const lastEntryOfBackup = (path: string): number =>
  readStore(path, (reading) =>
    reading.fact("audit_entries", (handle) =>
      handle
        .prepare<[], number>(
          `select coalesce(max(sequence), 0) from audit_entries
           where sequence < (select max(sequence) from audit_entries where action = 'store.restore')`,
        )
        .pluck()
        .get(),
    ),
  ) ?? 0;

/** No restore undoes it: the backup is a file of its own. */
const BACKED_UP = "store.backUp";

/**
 * What was done in a store after its entry of that number: a restore has undone it.
 * @param repeated actions whose objects are to be named.
 */
export const actionsAfter = (path: string, entry: number, repeated: readonly string[]): UndoneActions =>
  readStore(path, (reading) => {
    const rows = reading.fact("audit_entries", (handle) =>
      handle
        .prepare<[number], [string, number]>(
          "select action, count(*) from audit_entries where sequence > ? group by action order by action",
        )
        .raw()
        .all(entry),
    );
    const counts = new Map(rows?.filter(([action]) => action !== BACKED_UP));
    if (rows === undefined) return { counts, objects: new Map(), unread: reading.unread };
    const objects = reading.fact("audit_entries", (handle) => {
      const query = handle
        .prepare<[number, string, number], string>(
          `select object from audit_entries where sequence > ? and action = ?
           group by object order by min(sequence) limit ?`,
        )
        .pluck();
      return repeated
        .filter((action) => counts.has(action))
        .map((action) => [action, query.all(entry, action, OBJECTS_MAX + 1)] as const);
    });
    return { counts, objects: new Map(objects), unread: reading.unread };
  }) ?? { counts: new Map(), objects: new Map(), unread: [] };

/** What was done in several stores. */
export function doneInAll(each: readonly UndoneActions[]): UndoneActions {
  const counts = new Map<string, number>();
  const objects = new Map<string, readonly string[]>();
  for (const one of each) {
    for (const [action, count] of one.counts) counts.set(action, (counts.get(action) ?? 0) + count);
    for (const [action, ids] of one.objects)
      objects.set(action, [...new Set([...(objects.get(action) ?? []), ...ids])].slice(0, OBJECTS_MAX + 1));
  }
  return { counts, objects, unread: each.flatMap(({ unread }) => unread) };
}

const ERASURES = ["person", "user", "worker", "tenant", "unit", "unitType"].map((kind) => `${kind}.erase`);

/** What was erased in a store. */
export interface ErasedIn {
  /** Ids in the order of the erasures. */
  readonly ids: readonly string[];
  /** Empty when the ids are all. */
  readonly unread: readonly string[];
}

/**
 * What the audit log says was asked for; where it cannot be read, what the list of erasures has: it also names the seats of
 * an erased person.
 */
export const erasedIn = (path: string): ErasedIn =>
  readStore(path, (reading) => {
    const asked = reading.fact("audit_entries", (handle) =>
      handle
        .prepare<unknown[], string>(
          `select object from audit_entries where action in (${ERASURES.map(() => "?").join()})
           group by object order by min(sequence)`,
        )
        .pluck()
        .all(...ERASURES),
    );
    if (asked !== undefined) return { ids: asked, unread: [] };
    const listed = reading.fact("erasures", (handle) =>
      handle.prepare<[], string>("select object from erasures group by object order by min(sequence)").pluck().all(),
    );
    return { ids: listed ?? [], unread: listed === undefined ? reading.unread : [] };
  }) ?? { ids: [], unread: [] };

/**
 * Those of the ids that a store has, in their order; all of them where it cannot be read: a command too many does no harm.
 * @param tables where it has them, by the first word of an id.
 */
export const thoseIn = (
  path: string,
  ids: readonly string[],
  tables: Readonly<Record<string, string>>,
): readonly string[] =>
  readStore(path, (reading) =>
    reading.fact("ids", (handle) =>
      ids.filter((id) => {
        const table = tables[id.split("_")[0] ?? ""];
        return table === undefined || handle.prepare(`select 1 from ${table} where id = ?`).get(id) !== undefined;
      }),
    ),
  ) ?? ids;
