import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { createFlushed, flushDirectory, removeIfPossible } from "../basis/durable-file.ts";
import { CannotStart } from "../basis/errors.ts";
import { putMarkBack, readMark, storePath, writeMark } from "../database/sqlite/store-file.ts";
import { diskAdvice } from "./disk-advice.ts";

/** How the name of a folder with a replaced store begins. */
const REPLACED = "replaced-";

const STORE_FILES = ["", "-wal", "-shm"] as const;

/**
 * In the folder of a replaced store until the other one is in its place, and it is said what that has undone: how the
 * directory was marked before.
 */
const UNDER_WAY = "under-way";

/**
 * Puts a complete, flushed store in the place of the present one, whose files are kept in a new folder of the data
 * directory. A crash in between leaves a directory without a whole store, which a start refuses and
 * `undoInterruptedReplacement` mends; a failure is undone. Call `endReplacements` once it is said what is undone.
 * @returns the folder; `undefined` when there was no store.
 * @throws CannotStart, which says whether the directory is as it was.
 */
export function replaceStoreFile(directory: string, replacement: string, at: Date): string | undefined {
  const path = storePath(directory);
  const present = STORE_FILES.map((suffix) => `${path}${suffix}`).filter((file) => existsSync(file));
  const folder = newFolder(join(directory, `${REPLACED}${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`));
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
      undo.unshift(() => rmSync(join(folder, UNDER_WAY), { force: true }));
      createFlushed(join(folder, UNDER_WAY), mark ?? "");
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

/** A name that no folder has, however quickly two replacements follow each other. */
function newFolder(name: string): string {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(folder)) return folder;
  }
}

/**
 * Puts a store back that an interrupted replacement had moved away, so that a replacement that begins again knows which
 * store it replaces. The one that was put in its place was never opened: a start refuses it. The caller has the lock.
 * @returns folders of replacements that were done, and interrupted before it was said what they have undone.
 */
export function undoInterruptedReplacement(directory: string): readonly string[] {
  const path = storePath(directory);
  const isWhole = existsSync(path) && (readMark(directory) !== "open" || existsSync(`${path}-wal`));
  const unsaid: string[] = [];
  for (const folder of foldersUnderWay(directory)) {
    const isMoved = hasReplaced(folder);
    if (isWhole && isMoved) {
      unsaid.push(folder);
      continue;
    }
    if (isMoved) putStoreBack(folder, directory);
    if (!isWhole && existsSync(path)) {
      const earlier = readFileSync(join(folder, UNDER_WAY), "utf8");
      putMarkBack(directory, earlier === "open" || earlier === "closed" ? earlier : undefined);
    }
    rmSync(join(folder, UNDER_WAY));
    removeEmptyFolder(folder);
  }
  return unsaid;
}

/**
 * Ends replacements whose store was found whole; no earlier one is put back in its place then. A disk that fails leaves them
 * to the next program.
 */
export function endReplacements(folders: readonly string[]): void {
  for (const folder of folders) {
    removeIfPossible(join(folder, UNDER_WAY));
    removeEmptyFolder(folder);
  }
}

/** Folders with the stores that restores have replaced here, the first one first. */
export const replacedFolders = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith(REPLACED))
    .toSorted()
    .map((name) => join(directory, name));

/** Whether the folder of a replacement has the store that was there before. */
export const hasReplaced = (folder: string): boolean => existsSync(storePath(folder));

/** Those of replacements that have not ended. */
export const foldersUnderWay = (directory: string): readonly string[] =>
  replacedFolders(directory).filter((folder) => existsSync(join(folder, UNDER_WAY)));

/** The main file last: until it is there, a start refuses, and the folder tells what is to be done. */
function putStoreBack(folder: string, directory: string): void {
  const path = storePath(directory);
  rmSync(path, { force: true });
  flushDirectory(directory);
  for (const suffix of STORE_FILES.toReversed()) {
    const moved = join(folder, `${basename(path)}${suffix}`);
    if (existsSync(moved)) renameSync(moved, `${path}${suffix}`);
  }
  flushDirectory(directory);
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
