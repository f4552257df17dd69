import { dirname } from "node:path";
import { storePath } from "../database/sqlite/store-file.ts";
import {
  actionsAfter,
  type DamagedFolders,
  doneInAll,
  lastEntryOfBackup,
  OBJECTS_MAX,
  replacedStores,
  type UndoneActions,
} from "./replaced-store.ts";

/**
 * What was done in the stores that restores have replaced in this directory, now or earlier, and what the restored store
 * lacks. What two of them have counts once: each goes on above the numbers of the one before it.
 * @param repeated actions whose objects are to be named.
 * @returns `undefined` when no store was replaced, or only one from before stores had an identity.
 */
export function undoneActions(
  directory: string,
  repeated: readonly string[],
): (UndoneActions & DamagedFolders) | undefined {
  const each: UndoneActions[] = [];
  const damaged: string[] = [];
  let after = lastEntryOfBackup(storePath(directory));
  for (const { path, lastEntry } of replacedStores(directory)) {
    const { unread, ...done } = actionsAfter(path, after, repeated);
    each.push({ ...done, unread: unread.map((reason) => `${path}, ${reason}`) });
    if (unread.length > 0) damaged.push(dirname(path));
    after = Math.max(after, lastEntry);
  }
  return each.length === 0 ? undefined : { ...doneInAll(each), damaged };
}

/** The same for people, as far as the stores before can be read: what each line is, and what it is about. */
export function undoneLines(undone: UndoneActions | undefined): readonly (readonly [title: string, text: string])[] {
  if (undone === undefined) return [];
  const { counts, objects, unread } = undone;
  const all = counts.size === 0 ? "" : "all the rest ";
  return [
    ...(counts.size === 0
      ? []
      : [["undone", [...counts].map(([action, count]) => `${action} ${count}`).join(", ")] as const]),
    ...[...objects].map(([action, ids]) => {
      const named = ids.slice(0, OBJECTS_MAX).join(", ");
      return ["repeat", `${action} ${named}${ids.length > OBJECTS_MAX ? " and others" : ""}`] as const;
    }),
    ...unread.map((reason) => ["undone", `${all}is not known: the store before cannot be read (${reason})`] as const),
  ];
}
