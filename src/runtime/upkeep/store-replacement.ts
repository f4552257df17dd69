import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import { flushDirectory } from "../basis/durable-file.ts";
import { CannotStart } from "../basis/errors.ts";
import { putMarkBack, readMark, storePath, writeMark } from "../database/store-file.ts";
import { diskAdvice } from "./disk-advice.ts";

/** How the name of a folder with a replaced store begins. */
export const REPLACED = "replaced-";

const STORE_FILES = ["", "-wal", "-shm"] as const;

/**
 * Puts a complete, flushed store in the place of the present one, whose files are kept in a new folder of the data
 * directory. A crash in between leaves a directory without a store, which a start refuses; a failure is undone.
 * @returns the folder; `undefined` when there was no store.
 * @throws CannotStart, which says whether the directory is as it was.
 */
export function replaceStoreFile(directory: string, replacement: string, at: Date): string | undefined {
  const path = storePath(directory);
  const present = STORE_FILES.map((suffix) => `${path}${suffix}`).filter((file) => existsSync(file));
  const folder = join(directory, `${REPLACED}${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`);
  const mark = readMark(directory);
  const undo: (() => void)[] = [];
  const move = (from: string, to: string) => {
    renameSync(from, to);
    undo.unshift(() => renameSync(to, from));
  };
  try {
    if (present.length > 0) {
      mkdirSync(folder, { mode: 0o700 });
      undo.unshift(() => removeEmptyFolder(folder));
      undo.unshift(() => putMarkBack(directory, mark));
      writeMark(directory, "open");
      for (const file of present) move(file, join(folder, basename(file)));
      flushDirectory(folder);
    } else undo.unshift(() => putMarkBack(directory, mark));
    flushDirectory(directory);
    move(replacement, path);
    flushDirectory(directory);
    writeMark(directory, "closed");
  } catch (cause) {
    throw notReplaced(directory, cause, undone(undo) ? undefined : folder);
  }
  return present.length > 0 ? folder : undefined;
}

/** False when a step could not be undone; those behind it are not tried then. */
function undone(steps: readonly (() => void)[]): boolean {
  try {
    for (const step of steps) step();
    return true;
  } catch {
    return false;
  }
}

/** An empty folder that stays does no harm. */
function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // The disk is read-only by now.
  }
}

/** @param kept where the files of the store are, if they could not be moved back. */
function notReplaced(directory: string, cause: unknown, kept: string | undefined): CannotStart {
  const { why, cure } = diskAdvice(cause) ?? { why: (cause as Error).message, cure: "Make the directory writable" };
  const end =
    kept === undefined
      ? `${cure}. Then run the command again. Nothing was changed.`
      : `${cure}. What was moved could not be moved back: move the files in ${kept} back into ${directory}, or restore again.`;
  return new CannotStart(`The store in ${directory} was not replaced (${why}). ${end}`, { cause });
}
