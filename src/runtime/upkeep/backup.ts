import { randomBytes } from "node:crypto";
import { existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { flushDirectory, flushFile } from "../basis/durable-file.ts";
import { Failure, failedPrecondition, invalidArgument } from "../basis/errors.ts";
import { createPrivately } from "../database/store-lock.ts";
import { STORE_TROUBLE_TEXTS, storeTroubleOf } from "../database/store-trouble.ts";
import { onThread } from "./store-thread.ts";
import type { CopiedStore } from "./store-worker.ts";

/** A backup that was written, checked and flushed. */
export interface Backup extends CopiedStore {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Copies the embedded store to a file of mode 0600 while the store is in use, on a thread of its own. The copy has
 * another name until it is checked and flushed; a file that exists is never overwritten (R-X246).
 * @throws FAILED_PRECONDITION (backup_exists, backup_not_written); CANCELLED when the signal is aborted.
 */
export async function backUp(storePath: string, path: string, signal: AbortSignal): Promise<Backup> {
  if (!isAbsolute(path)) throw invalidArgument([{ field: "path", reason: "must be an absolute path" }]);
  if (existsSync(path)) throw isThere(path);
  const draft = `${path}.${randomBytes(6).toString("hex")}.unfinished`;
  try {
    createPrivately(draft);
    const copied = await onThread({ task: "copy", store: storePath, to: draft }, signal);
    flushFile(draft);
    giveName(draft, path);
    return { ...copied, path, bytes: statSync(path).size };
  } catch (error) {
    throw notWritten(path, error);
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** Linking fails where the name exists. Some file systems of networks have no links. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    if (existsSync(path)) throw isThere(path);
    renameSync(draft, path);
  }
  flushDirectory(dirname(path));
}

const isThere = (path: string): Failure =>
  failedPrecondition("backup_exists", `${path} exists already. Name a file that does not exist yet.`);

function notWritten(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return isThere(path);
  // The system's own codes say more than that something is away.
  const trouble = code === "ENOSPC" ? "full" : code?.startsWith("SQLITE_") ? storeTroubleOf(error) : undefined;
  const why = trouble === undefined ? (code ?? message) : STORE_TROUBLE_TEXTS[trouble];
  return failedPrecondition(
    "backup_not_written",
    `The backup ${path} was not written (${why}). Name a directory that Gatehouse may write to, with space for a copy of the store.`,
    { cause: error, detail: message },
  );
}
