import { chmodSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import BetterSqlite3 from "better-sqlite3";
import { flushFile, removeIfPossible } from "../basis/durable-file.ts";
import { CannotStart } from "../basis/errors.ts";
import { STORE_FILE_STATES, storePath } from "../database/sqlite/store-file.ts";
import { storeTroubleOf } from "../database/store-trouble.ts";
import { beforeEndingBySignal } from "../process/lifecycle.ts";
import { digestBeside } from "./backup-digest.ts";
import { examineCopy } from "./copy-check.ts";
import type { CopyFindings } from "./copy-check-process.ts";
import { diskAdvice } from "./disk-advice.ts";
import { filesOfCopy, restoringPath } from "./left-copies.ts";
import { replacedFolders } from "./store-replacement.ts";

/** A checked copy of a backup in the data directory, under a name that no start opens. */
interface StagedBackup {
  readonly path: string;
  /** False when no digest is beside the backup: then its structure alone was checked. */
  readonly hasDigest: boolean;
  /** Marks it as a whole store, once nothing has it open. A signal that came before is heard first. */
  complete(): Promise<void>;
  /** Removes what is left of the copy; from now on a signal ends the process as any other. */
  remove(): void;
}

/**
 * Copies a backup beside the store and checks the copy. The backup itself is only read. Until the copy is removed, a signal
 * that ends the process removes it first. One that a restore has moved away here may have its log beside it, which belongs to it.
 * @param onSignal called then.
 * @throws CannotStart when it is missing, not readable, no file, no store, half a store or damaged, not what its digest says (R-X347),
 * or there is no space.
 */
export async function stageBackup(
  backup: string,
  directory: string,
  onSignal: () => void = () => undefined,
): Promise<StagedBackup> {
  const path = restoringPath(directory);
  if (!existsSync(backup)) throw refused(backup, "there is no such file", NAME_A_BACKUP);
  if (!statSync(backup).isFile()) throw refused(backup, "it is not a file", NAME_A_BACKUP);
  if (!isReadable(backup))
    throw refused(
      backup,
      "this account may not read it",
      "Run the command as the account that runs Gatehouse, and make the file readable for it.",
    );
  if (existsSync(path) && realpathSync(backup) === realpathSync(path))
    throw refused(backup, "a restore makes its own copy under this name", "Give the backup another name first.");
  const hasLog = (statSync(`${backup}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && !isReplacedHere(backup, directory))
    throw refused(backup, "it has a log beside it, as a store in use has", NAME_A_BACKUP);
  const removeFiles = () => removeIfPossible(...filesOfCopy(path));
  removeFiles();
  // Not before: a backup that had this name would be removed.
  const ending = new AbortController();
  const stopListening = beforeEndingBySignal(() => {
    ending.abort();
    removeFiles();
    onSignal();
  });
  const remove = () => {
    removeFiles();
    stopListening();
  };
  let digest: string | undefined;
  try {
    digest = digestBeside(backup);
    await copyFile(backup, path, constants.COPYFILE_FICLONE);
    // It has the mode of the backup, which may be read-only, as a kept one should be.
    chmodSync(path, 0o600);
    flushFile(path);
    if (hasLog) await withItsLog(`${backup}-wal`, path);
    await nextTurn();
    const { sha256, structure } = await examineCopy({ path, countsRows: false }, ending.signal);
    if (digest !== undefined && digest !== sha256)
      throw refused(
        backup,
        "its bytes are not those that its .sha256 file names",
        "Restore another backup, or the digest that belongs to this one.",
        65,
      );
    assertBackup(backup, structure);
  } catch (error) {
    remove();
    if (error instanceof CannotStart) throw error;
    throw storeTroubleOf(error) === "damaged"
      ? damaged(backup, (error as Error).message)
      : notCopied(backup, path, error);
  }
  return {
    path,
    hasDigest: digest !== undefined,
    remove,
    async complete() {
      await nextTurn();
      markComplete(path);
    },
  };
}

/** Makes the copy one whole file: what is in a log beside it is copied into it. */
function markComplete(path: string): void {
  const handle = new BetterSqlite3(path);
  try {
    handle.pragma("journal_mode = delete");
    handle.pragma("synchronous = full");
    handle.pragma(`user_version = ${STORE_FILE_STATES.complete}`);
  } finally {
    handle.close();
  }
  flushFile(path);
}

/**
 * Whether it is a store that a restore has moved away here, as it was: after a crash with its log. A program would have this
 * directory's lock to have it open.
 */
const isReplacedHere = (backup: string, directory: string): boolean =>
  replacedFolders(directory).some((folder) => {
    const replaced = storePath(folder);
    return existsSync(replaced) && realpathSync(replaced) === realpathSync(backup);
  });

/** Copies the log too, and then has both in one file. */
async function withItsLog(log: string, path: string): Promise<void> {
  const copy = `${path}-wal`;
  await copyFile(log, copy, constants.COPYFILE_FICLONE);
  chmodSync(copy, 0o600);
  await nextTurn();
  markComplete(path);
}

/** Lets a signal that has come meanwhile be heard. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch {
    return false;
  }
}

function assertBackup(backup: string, structure: CopyFindings["structure"]): void {
  if ("message" in structure) {
    const error = Object.assign(new Error(structure.message), structure);
    throw storeTroubleOf(error) === "damaged" ? damaged(backup, error.message) : error;
  }
  const { integrity, state, hasLedger } = structure;
  if (integrity !== "ok") throw damaged(backup, integrity);
  if (state === STORE_FILE_STATES.inUse)
    throw refused(backup, "it was copied from a store in use and lacks what was in its log", NAME_A_BACKUP, 65);
  if (!hasLedger) throw refused(backup, "it is no store of Gatehouse", NAME_A_BACKUP, 65);
}

const NAME_A_BACKUP = "Name a file that “gatehouse store backup” made.";

const refused = (backup: string, why: string, advice: string, exitCode: 1 | 65 = 1): CannotStart =>
  new CannotStart(`${backup} was not restored: ${why}. ${advice} Nothing was changed.`, { exitCode });

const damaged = (backup: string, found: string): CannotStart =>
  refused(backup, `it is damaged (${found})`, "Restore another backup.", 65);

function notCopied(backup: string, path: string, error: unknown): CannotStart {
  const { code, message } = error as NodeJS.ErrnoException;
  const { why, cure } = diskAdvice(error) ?? { why: code ?? message, cure: "Make the directory writable" };
  return new CannotStart(
    `${backup} cannot be copied to ${path} (${why}). ${cure}. Then run the command again. Nothing was changed.`,
    { cause: error },
  );
}
