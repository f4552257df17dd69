import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeIfPossible } from "../basis/durable-file.ts";
import { randomCharacters } from "../basis/ids.ts";
import type { Random } from "../basis/random.ts";
import { storePath } from "../database/store-file.ts";

/** A copy of a store with what SQLite writes beside it. */
export const filesOfCopy = (path: string): readonly string[] =>
  ["", "-journal", "-wal", "-shm"].map((suffix) => `${path}${suffix}`);

/** Where a restore puts the backup before it takes the store's place. */
export const restoringPath = (directory: string): string => `${storePath(directory)}.restoring`;
/** Where one plan migrates a copy of the store; others may be at work beside it. */
export const newPlanningPath = (directory: string, random: Random): string =>
  `${storePath(directory)}.${randomCharacters(random, 12)}.planning`;
/** A file of a plan's copy. */
const PLANNING = /^(gatehouse\.sqlite(?:\.\w+)?\.planning)(?:-\w+)?$/;

/** A plan works beside a running program; one that is under way has written more lately than that. */
const PLAN_IDLE_MS = 60 * 60 * 1000;

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
  const drafts = new Set(readdirSync(directory).flatMap((name) => PLANNING.exec(name)?.[1] ?? []));
  for (const draft of drafts) {
    const plan = filesOfCopy(join(directory, draft));
    const writtenAt = Math.max(...plan.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
    if (now.getTime() - writtenAt > PLAN_IDLE_MS) removeIfPossible(...plan);
  }
}
