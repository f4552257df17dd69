import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A path that is this process's alone. */
export interface ProcessLock {
  /** Lets another take it. */
  release(): void;
}

/** The owners' files of this process, to tell them from those of an ended process that had the same id. */
const own = new Set<string>();

/**
 * Locks a path: a folder there has one file, named by its owner's process id. What an ended process left is replaced.
 *
 * Of any number that take over at once, one succeeds. A folder gets the name only while none is there, or an empty one; and each owner's
 * file has a name that no other ever has, so what is removed is always the ended owner's.
 * @returns the process that has the path, if another one does.
 * @throws the system's error when it cannot be locked; `ENOTEMPTY` when something else is in the folder, `ENOTDIR` when it is a file
 * that no earlier version made.
 */
export function lockPath(path: string): ProcessLock | { readonly owner: number } {
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const made = `${path}.${name}`;
  try {
    mkdirSync(made);
    writeFileSync(join(made, name), "");
    while (!isRenamed(made, path)) {
      const owner = runningOwner(path);
      if (owner !== undefined) return { owner };
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  own.add(name);
  return {
    release() {
      if (own.delete(name)) remove(path, name);
    },
  };
}

/** False when a folder with an owner has the name, or a file. */
function isRenamed(made: string, path: string): boolean {
  try {
    renameSync(made, path);
    return true;
  } catch (error) {
    if (isOneOf(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return false;
    throw error;
  }
}

/** The owner of the folder; `undefined` when it has none any more. Removes the file of one that has ended. */
function runningOwner(path: string): number | undefined {
  const names = namesIn(path);
  if (names === undefined) return runningOwnerByFile(path);
  for (const name of names) {
    const [, id] = /^([1-9]\d*)-[0-9a-f]{12}$/.exec(name) ?? [];
    if (id === undefined) throw Object.assign(new Error(`${path} has ${name} in it`), { code: "ENOTEMPTY" });
    if (isRunning(Number(id), name)) return Number(id);
    rmSync(join(path, name), { force: true });
  }
  return undefined;
}

/** The same of the lock of an earlier version, which was a file with the process id in it. */
function runningOwnerByFile(path: string): number | undefined {
  try {
    const [, id] = /^([1-9]\d*)\n$/.exec(readFileSync(path, "utf8")) ?? [];
    if (id === undefined) throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR" });
    if (isRunning(Number(id), "")) return Number(id);
    unlinkSync(path);
  } catch (error) {
    // Another process has removed it meanwhile, or has put its folder in its place, which stays.
    if (!isOneOf(error, "ENOENT", "EISDIR")) throw error;
  }
  return undefined;
}

/** `undefined` of a file. */
function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isOneOf(error, "ENOTDIR")) return undefined;
    // Its owner has released it meanwhile.
    if (isOneOf(error, "ENOENT")) return [];
    throw error;
  }
}

/** True when the process runs; for this one, when the file is its own. */
function isRunning(owner: number, name: string): boolean {
  if (owner === process.pid) return own.has(name);
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    // Of another account: it may not be signalled, but it runs.
    return isOneOf(error, "EPERM");
  }
}

/** The folder stays when another process has it by now. */
function remove(folder: string, name: string): void {
  try {
    rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch (error) {
    // The last two: somebody has removed it, or put something else in its place.
    if (!isOneOf(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw error;
  }
}

const isOneOf = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(String((error as NodeJS.ErrnoException).code));
