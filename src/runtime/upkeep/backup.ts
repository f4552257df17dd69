import { randomBytes } from "node:crypto";
import { existsSync, linkSync, realpathSync, renameSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import { createFlushed, flushDirectory, flushFile, removeIfPossible } from "../basis/durable-file.ts";
import { Failure, failedPrecondition, invalidArgument } from "../basis/errors.ts";
import { STORE_TROUBLE_TEXTS } from "../basis/store-troubles.ts";
import { markDraftPath } from "../database/sqlite/store-file.ts";
import { createPrivately } from "../database/sqlite/store-lock.ts";
import { diskTroubleOf } from "../database/store-trouble.ts";
import { digestPathOf, digestText } from "./backup-digest.ts";
import { checkCopy } from "./copy-check.ts";
import { describeLack } from "./copy-space.ts";
import { draftPath, filesOfCopy, isNameOfLeftCopy } from "./left-copies.ts";
import { onThread } from "./store-thread.ts";
import type { StoreFailure } from "./store-worker.ts";

/** A backup that was written, checked and flushed. */
interface Backup {
  readonly bytes: number;
  readonly tables: number;
  readonly rows: number;
  /** It has everything that was committed before this instant. */
  readonly madeAt: Date;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Copies the embedded store to a file of mode 0600 while the store is in use, on a thread of its own; a process of its
 * own checks the copy. The copy has another name until it is checked and flushed; a file that exists is never overwritten (R-X246).
 * Its digest is beside it before it has its name (R-X347).
 * @throws INVALID_ARGUMENT (path); FAILED_PRECONDITION (backup_exists, backup_not_written); CANCELLED when the signal is aborted.
 */
export async function backUp(storePath: string, path: string, signal: AbortSignal): Promise<Backup> {
  if (!isAbsolute(path)) throw invalidArgument([{ field: "path", reason: "must be an absolute path" }]);
  const reason = flawOfName(storePath, path);
  if (reason !== undefined) throw invalidArgument([{ field: "path", reason }]);
  const digestPath = digestPathOf(path);
  if (existsSync(path)) throw isThere(path);
  if (existsSync(digestPath)) throw isLeftOver(digestPath, path);
  const draft = draftPath(path, randomBytes(6).toString("hex"));
  try {
    createPrivately(draft);
    const { rows, madeAt } = await onThread({ task: "copy", store: storePath, to: draft }, signal);
    const sha256 = await checkCopy(draft, rows, signal);
    flushFile(draft);
    const digestDraft = digestPathOf(draft);
    createFlushed(digestDraft, digestText(path, sha256));
    giveName(digestDraft, digestPath);
    try {
      giveName(draft, path);
    } catch (error) {
      removeIfPossible(digestPath);
      throw error;
    }
    flushNames(path, digestPath);
    const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
    return { bytes: statSync(path).size, tables: rows.size, rows: total, madeAt, sha256 };
  } catch (error) {
    throw notWritten(path, error);
  } finally {
    removeIfPossible(...filesOfCopy(draft), `${draft}.sha256`);
  }
}

/** What SQLite adds to the name of a store; it would take a backup there for its own journal, and read the store no more. */
const PARTS = ["-journal", "-wal", "-shm"] as const;

/** Why a backup gets no such name: it would not stay what it is. `undefined` for any other. */
function flawOfName(storePath: string, path: string): string | undefined {
  const name = basename(path);
  const [folder, directory] = [dirname(path), dirname(storePath)];
  const isBesideStore = existsSync(folder) && realpathSync(folder) === realpathSync(directory);
  if (isBesideStore && PARTS.some((part) => name === `${basename(storePath)}${part}`))
    return "must not be a name that SQLite gives to a part of the store";
  const isOfDraft = isBesideStore && name === basename(markDraftPath(directory));
  return isOfDraft || isNameOfLeftCopy(name, isBesideStore ? directory : undefined)
    ? "must not be a name of an unfinished file of Gatehouse's own, which it removes"
    : undefined;
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
}

/** A name that is not flushed may be lost in a power failure, and what is refused should not be there. */
function flushNames(path: string, digestPath: string): void {
  try {
    flushDirectory(dirname(path));
  } catch (error) {
    removeIfPossible(path, digestPath);
    if (existsSync(path))
      throw failedPrecondition(
        "backup_not_written",
        `The backup ${path} is whole, but its directory was not flushed (${whyNot(error)}), so a power failure may take it: do not rely on it. Write another one elsewhere.`,
        { cause: error },
      );
    throw error;
  }
}

const isThere = (path: string): Failure =>
  failedPrecondition("backup_exists", `${path} exists already. Name a file that does not exist yet.`);

const isLeftOver = (digestPath: string, path: string): Failure =>
  failedPrecondition(
    "backup_exists",
    `${digestPath} is there, and ${path} is not: it belongs to a backup that was moved or removed, or was killed before it had its name. Move or remove it too.`,
  );

function notWritten(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message, lack } = error as StoreFailure;
  if (code === "EEXIST") return isThere(path);
  if (lack !== undefined)
    return failedPrecondition(
      "backup_not_written",
      `The backup ${path} was not written: ${describeLack(lack)}. Free space on it, or name a directory on another disk.`,
      { cause: error },
    );
  return failedPrecondition(
    "backup_not_written",
    `The backup ${path} was not written (${whyNot(error)}). Name a directory that Gatehouse may write to, with space for a copy of the store.`,
    { cause: error, detail: message },
  );
}

/** The store takes no writes, or none now; what was read of it is whole. */
export const notRecorded = (path: string, error: unknown): Failure =>
  failedPrecondition(
    "backup_not_recorded",
    `The backup ${path} is whole, and so is the digest beside it: keep both. Only its record was not written (${whyNot(error)}): neither the audit log nor gatehouse store status has this backup.`,
    { cause: error },
  );

/** The system's own codes say more than “away”; and “damaged” would advise to restore a backup. */
function whyNot(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const trouble = diskTroubleOf(error);
  if (trouble === "damaged") return message;
  return trouble === undefined || trouble === "away" ? (code ?? message) : STORE_TROUBLE_TEXTS[trouble];
}
