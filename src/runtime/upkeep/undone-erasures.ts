import { dirname } from "node:path";
import { storePath } from "../database/sqlite/store-file.ts";
import { type DamagedFolders, type ErasedIn, erasedIn, replacedStores, thoseIn } from "./replaced-store.ts";

/**
 * Ids that were erased in a store that a restore has replaced in this directory, now or earlier, and that the restored
 * store has, without an erasure: they are back (R-X266, R-X337). What was made after the backup is not there. In the order of
 * the erasures; `unread` names the replaced stores that cannot say theirs.
 * @param tables where a store has what is erased, by the first word of its ids.
 */
export function undoneErasures(directory: string, tables: Readonly<Record<string, string>>): ErasedIn & DamagedFolders {
  const restored = storePath(directory);
  const erased = new Set<string>();
  const unread: string[] = [];
  const damaged: string[] = [];
  for (const { path } of replacedStores(directory)) {
    const found = erasedIn(path);
    for (const id of found.ids) erased.add(id);
    if (found.unread.length > 0) damaged.push(dirname(path));
    for (const reason of found.unread) unread.push(`${path}, ${reason}`);
  }
  for (const id of erasedIn(restored).ids) erased.delete(id);
  return { ids: thoseIn(restored, [...erased], tables), unread, damaged };
}
