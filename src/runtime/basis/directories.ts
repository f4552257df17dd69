import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a directory, and those above it that are missing. One that is there keeps its mode.
 * Node's own way (`recursive: true`) tries without end where a system says of a new directory that its parent is
 * missing though it is there, as Linux does below /proc.
 * @param mode of the directories that it makes; by default what the process grants to new ones.
 * @throws the system's error (`code` EACCES, ENOENT, ENOTDIR, EROFS …); EEXIST where something else has the name.
 */
export function makeDirectory(path: string, mode?: number): void {
  const whole = resolve(path);
  if (isDirectory(whole)) return;
  const missing = [whole];
  for (let above = dirname(whole); !existsSync(above); above = dirname(above)) missing.push(above);
  for (const directory of missing.toReversed()) makeOne(directory, mode);
}

function makeOne(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isDirectory(path)) throw error;
  }
}

/** False also of what cannot be looked at. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * For an operator: what to do about a file of the data directory that cannot be used. SQLite says alike of one that belongs to another
 * account and of one that finds no descriptor that it cannot be opened.
 * @param otherwise the cure for another code.
 */
export function cureOfFile(
  directory: string,
  code: string | undefined,
  otherwise = "Make the directory writable, free space on its disk, or set data-directory.",
): string {
  const isUnopened = code?.startsWith("SQLITE_CANTOPEN") === true;
  if (!isUnopened && code !== "EACCES" && code !== "EPERM") return otherwise;
  const handBack = `Give all files of ${directory}, and the directory, to the account that runs Gatehouse: a command that root ran leaves some to root.`;
  return isUnopened ? `${handBack} If it has them, raise its limit of open files (ulimit -n).` : handBack;
}
