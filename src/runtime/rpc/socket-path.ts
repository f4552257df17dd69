import { lstat, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "../basis/directories.ts";
import { CannotStart } from "../basis/errors.ts";
import { shellWord } from "../basis/terminal-lines.ts";
import { socketPathProblem } from "./settings.ts";
import { socketAnswers } from "./socket-health.ts";

/**
 * Prepares the place of a socket: a private directory, without what a dead process left behind.
 * @throws CannotStart when it is too long or cannot be used, or when another process listens there.
 */
export async function takePath(path: string): Promise<void> {
  const problem = socketPathProblem(path);
  if (problem !== undefined) throw new CannotStart(problem, { exitCode: 78 });
  await takeDirectory(dirname(path));
  const former = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw noSocket(path, cause);
  });
  if (former === undefined) return;
  if (!former.isSocket())
    throw new CannotStart(`${path} is not a socket. Remove it, or set socket-directory to another directory.`);
  if (await socketAnswers(path)) {
    throw new CannotStart(
      `Another Gatehouse is running on ${path}. Stop it, or set data-directory and socket-directory to others.`,
    );
  }
  await rm(path, { force: true }).catch((cause) => {
    throw noSocket(path, cause);
  });
}

/** The directory belongs to another account, or its disk takes no files. */
export const noSocket = (path: string, cause: unknown): CannotStart =>
  new CannotStart(
    `The socket ${path} cannot be made (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}). Let the account of this program own its directory, or set socket-directory to another.`,
    { cause },
  );

/**
 * Makes the directory. An existing one keeps its mode, since another program may use it too, and must be private.
 * @throws CannotStart when it cannot be used, or others can enter it.
 */
export async function takeDirectory(directory: string): Promise<void> {
  let mode: number;
  try {
    makeDirectory(directory, 0o700);
    ({ mode } = await stat(directory));
  } catch (cause) {
    throw new CannotStart(
      `The directory ${directory} cannot be used for sockets. Make it writable or set socket-directory.`,
      { cause },
    );
  }
  if ((mode & 0o077) !== 0) {
    throw new CannotStart(
      `The directory ${directory} can be entered by others. Run: chmod 700 ${shellWord(directory)}, or set socket-directory to another.`,
    );
  }
}
