import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { removeIfPossible } from "../basis/durable-file.ts";
import { HOUR_MS } from "../basis/durations.ts";
import { randomCharacters } from "../basis/ids.ts";
import type { Random } from "../basis/random.ts";
import { storePath } from "../database/sqlite/store-file.ts";

/** A copy of a store with what SQLite writes beside it. */
export const filesOfCopy = (path: string): readonly string[] =>
  ["", "-journal", "-wal", "-shm"].map((suffix) => `${path}${suffix}`);

/** Where a restore puts the backup before it takes the store's place. */
export const restoringPath = (directory: string): string => `${storePath(directory)}.restoring`;
/** Where one plan migrates a copy of the store; others may be at work beside it. */
export const newPlanningPath = (directory: string, random: Random): string =>
  `${storePath(directory)}.${randomCharacters(random, 12)}.planning`;
/**
 * Where a backup is written until it is checked, beside its name; others may be written there meanwhile.
 * @param mark of 12 hexadecimal digits, which no other has.
 */
export const draftPath = (backup: string, mark: string): string => `${backup}.${mark}.unfinished`;
/** A file of a backup's copy. */
const DRAFT = /^(.+\.[0-9a-f]{12}\.unfinished)(?:-journal|-wal|-shm|\.sha256)?$/;

/** A file of a plan's copy. */
const PLANNING = /^(gatehouse\.sqlite(?:\.\w+)?\.planning)(?:-\w+)?$/;

/**
 * True for a name that a command gives to an unfinished copy: what has it is removed as left over, whatever it is.
 * @param directory of the store, if the name is in it; most such names mean nothing elsewhere.
 */
export const isNameOfLeftCopy = (name: string, directory: string | undefined): boolean =>
  DRAFT.test(name) ||
  (directory !== undefined &&
    (PLANNING.test(name) || filesOfCopy(restoringPath(directory)).some((path) => basename(path) === name)));

/** A plan works beside a running program; one that is under way has written more lately than that. */
const PLAN_IDLE_MS = HOUR_MS;
/** A backup writes nothing while it is checked, and has six hours in all. */
const DRAFT_IDLE_MS = 12 * HOUR_MS;

/**
 * Removes whole copies of the store that a command left in the data directory because it was killed: no erasure reaches
 * them. The caller has the lock, so that no restore is under way.
 */
export function removeLeftCopies(directory: string, now: Date): void {
  removeIfPossible(...filesOfCopy(restoringPath(directory)));
  removeLeftPlans(directory, now);
}

/** The copies of killed plans alone; the caller needs no lock. */
export function removeLeftPlans(directory: string, now: Date): void {
  removeIdle(directory, PLANNING, new Date(now.getTime() - PLAN_IDLE_MS));
}

/**
 * Removes what backups left in a directory because they were killed: no erasure reaches these copies either, and they take as much
 * space as the store.
 * @returns their paths; none where the directory cannot be read, which a backup there says too.
 */
export function removeLeftDrafts(directory: string, now: Date): readonly string[] {
  try {
    return removeIdle(directory, DRAFT, new Date(now.getTime() - DRAFT_IDLE_MS));
  } catch {
    return [];
  }
}

/**
 * @param pattern of the names; its first group is that of the copy itself.
 * @param before what was written later stays.
 */
function removeIdle(directory: string, pattern: RegExp, before: Date): readonly string[] {
  const copies = new Set(readdirSync(directory).flatMap((name) => pattern.exec(name)?.[1] ?? []));
  return [...copies].flatMap((name) => {
    const path = join(directory, name);
    const files = [...filesOfCopy(path), `${path}.sha256`];
    const writtenAt = Math.max(...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
    if (writtenAt >= before.getTime()) return [];
    removeIfPossible(...files);
    return files.some((file) => existsSync(file)) ? [] : [path];
  });
}
