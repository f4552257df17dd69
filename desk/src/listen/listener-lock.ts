import { dirname } from "node:path";
import { CommandError, EXIT } from "../command-error.ts";
import { lockPath, type ProcessLock } from "../process-lock.ts";
import { makeFolder } from "./folder.ts";

/**
 * Makes this process the only listener with the given state file, by a lock beside it (R-X345).
 * @throws CommandError when another listener runs, or when the lock cannot be made.
 */
export function lockListener(statePath: string, label: string): ProcessLock {
  const path = `${statePath}.lock`;
  const taken = attempt(path);
  if ("owner" in taken) throw alreadyListening(label, taken.owner, path);
  return taken;
}

function attempt(path: string): ReturnType<typeof lockPath> {
  try {
    makeFolder(dirname(path));
    return lockPath(path);
  } catch (error) {
    throw notWritable(path, error as NodeJS.ErrnoException);
  }
}

/** A full disk, for example. */
const notWritable = (path: string, cause: NodeJS.ErrnoException): CommandError =>
  new CommandError(`${path} cannot be made (${cause.code}), so nothing would keep a second listener away.`, {
    fix: "Make room there, or name another folder: --state <folder>",
    cause,
  });

const alreadyListening = (label: string, owner: number, path: string): CommandError =>
  new CommandError(`Another listener (process ${owner}) listens to ${label} with this state folder.`, {
    fix: `End it first, or give this one a folder of its own: --state <folder>. If process ${owner} is no listener, remove the folder ${path}`,
    exitCode: EXIT.refused,
  });
