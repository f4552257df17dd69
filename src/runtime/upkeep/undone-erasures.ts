import { storePath } from "../database/store-file.ts";
import { readPresentStore, readStore } from "./staged-backup.ts";
import { replacedFolders } from "./store-replacement.ts";

const ERASURES = ["person", "user", "worker", "tenant", "unit", "unitType"].map((kind) => `${kind}.erase`);

/**
 * Ids that were erased in a store that a restore has replaced in this directory, now or earlier, and that the restored
 * store has no erasure of: they are back (R-X266, R-X337). In the order of the erasures; a replaced store that cannot be
 * read has none.
 */
export function undoneErasures(directory: string): readonly string[] {
  const restored = storePath(directory);
  const storeId = readPresentStore(restored)?.storeId;
  const erased = new Set<string>();
  for (const path of replacedFolders(directory).map(storePath))
    if (readPresentStore(path)?.storeId === storeId) for (const id of erasedIn(path)) erased.add(id);
  for (const id of erasedIn(restored)) erased.delete(id);
  return [...erased];
}

const erasedIn = (path: string): readonly string[] =>
  readStore(path, (handle) =>
    handle
      .prepare<unknown[], string>(
        `select object from audit_entries where action in (${ERASURES.map(() => "?").join()})
         group by object order by min(sequence)`,
      )
      .pluck()
      .all(...ERASURES),
  ) ?? [];
