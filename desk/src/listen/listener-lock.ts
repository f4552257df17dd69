import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError, EXIT } from "../command-error.ts";
import { makeFolder } from "./folder.ts";

/** A place that this process listens at. */
export interface ListenerLock {
  /** Lets another listener begin. */
  release(): void;
}

/** Files that this process holds, to tell them from those of an ended process that had the same id. */
const held = new Set<string>();

/**
 * Makes this process the only listener with the given state file, by a file beside it that contains the process id. A
 * file that an ended process left is replaced (R-X345).
 * @throws CommandError when another listener runs, or when the file cannot be written.
 */
export function lockListener(statePath: string, label: string): ListenerLock {
  const path = `${statePath}.lock`;
  try {
    take(path, label);
  } catch (error) {
    throw error instanceof CommandError ? error : notWritable(path, error as NodeJS.ErrnoException);
  }
  held.add(path);
  return {
    release() {
      if (held.delete(path) && ownerOf(path) === process.pid) rmSync(path, { force: true });
    },
  };
}

function take(path: string, label: string): void {
  const own = `${path}.${process.pid}`;
  makeFolder(dirname(path));
  try {
    // Linked when it is complete, so that a reader always finds the number.
    writeFileSync(own, `${process.pid}\n`);
    while (!isLinked(own, path)) {
      const owner = ownerOf(path);
      if (owner !== undefined && isListening(owner, path)) throw alreadyListening(label, owner, path);
      removeLeftOver(path, owner);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The process id in the file; `undefined` when the file is gone or has none. */
function ownerOf(path: string): number | undefined {
  try {
    const id = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Its folder may be gone too, or something else by now.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** True when the process runs; for this one, when it has taken the file itself. */
function isListening(owner: number, path: string): boolean {
  if (owner === process.pid) return held.has(path);
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    // Of another account: it may not be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Moved away before it is removed, so that of two that take over at once, neither removes the other's new file. */
function removeLeftOver(path: string, owner: number | undefined): void {
  const away = `${path}.${process.pid}.old`;
  try {
    renameSync(path, away);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (ownerOf(away) !== owner) isLinked(away, path);
  rmSync(away, { force: true });
}

/** A full disk, for example, or a file system without links. */
const notWritable = (path: string, cause: NodeJS.ErrnoException): CommandError =>
  new CommandError(`${path} cannot be written (${cause.code}), so nothing would keep a second listener away.`, {
    fix: "Make room there, or name another folder: --state <folder>",
    cause,
  });

const alreadyListening = (label: string, owner: number, path: string): CommandError =>
  new CommandError(`Another listener (process ${owner}) listens to ${label} with this state folder.`, {
    fix: `End it first, or give this one a folder of its own: --state <folder>. If process ${owner} is no listener, remove ${path}`,
    exitCode: EXIT.refused,
  });
