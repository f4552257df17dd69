import { randomBytes } from "node:crypto";
import { createWriteStream, openSync, rmSync } from "node:fs";
import { access, link, rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { beforeEndingBySignal } from "#runtime/process/lifecycle.ts";
import { type CommandError, commandError, EXIT } from "./command-error.ts";

/** An existing file is never overwritten. @throws CommandError, with what else is to be said. */
export async function assertNewFile(path: string, also = ""): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw unwritable(path, `it exists already${also}`);
}

export const unwritable = (path: string, why: string): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "file_unwritable",
    message: `${path} cannot be written: ${why}.`,
    fix: "Name a file that does not exist yet, in a directory that you may write to.",
  });

/**
 * Writes a file of mode 0600 that does not exist yet. It has a name of its own, which nobody can have taken, until it is
 * whole; when it fails, or a signal ends the command, nothing is left.
 * @throws CommandError when it exists by then, or cannot be written.
 */
export async function writeNewFile<T>(path: string, fill: (file: Writable) => Promise<T>): Promise<T> {
  await assertNewFile(path);
  const partial = `${path}.${randomBytes(6).toString("hex")}.partial`;
  // Before the file is made: a signal that is not listened to ends the process between any two steps.
  const stopListening = beforeEndingBySignal(() => rmSync(partial, { force: true }));
  try {
    return await writePartial({ partial, path }, fill);
  } finally {
    stopListening();
  }
}

async function writePartial<T>(
  { partial, path }: { readonly partial: string; readonly path: string },
  fill: (file: Writable) => Promise<T>,
): Promise<T> {
  // Opened at once: no failure can come while it is being opened, and miss it.
  const file = createWriteStream(partial, { fd: openNew(partial, path) });
  const ended = finished(file);
  try {
    // A file that fails ends what fills it, which may wait for room.
    const failed = ended.then(() => Promise.reject(unwritable(path, "it was closed")));
    failed.catch(() => undefined);
    const filled = await Promise.race([fill(file), failed]);
    file.end();
    await ended;
    await publish(partial, path);
    return filled;
  } catch (error) {
    const { errored } = file;
    throw errored === null ? error : unwritable(path, codeOf(errored));
  } finally {
    file.destroy();
    await rm(partial, { force: true });
  }
}

function openNew(partial: string, path: string): number {
  try {
    return openSync(partial, "wx", 0o600);
  } catch (error) {
    throw unwritable(path, codeOf(error));
  }
}

/**
 * Gives a file that is whole its name. Unlike a renaming, this never replaces a file.
 * @throws CommandError when there is one by then, with what else is to be said.
 */
export async function publish(draft: string, path: string, also = ""): Promise<void> {
  try {
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") throw unwritable(path, `it was made meanwhile${also}`);
    if (!WITHOUT_LINKS.has(code)) throw unwritable(path, `${code}${also}`);
    await assertNewFile(path, also);
    await rename(draft, path);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** What file systems answer that have no hard links. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);
