import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";

/**
 * Makes a file of mode 0600 and flushes it. Its name is flushed by `flushDirectory`.
 * @throws EEXIST when it is there; the system's error, and a part of the file may be there.
 */
export function createFlushed(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    // Goes on where the system takes a part alone, as the last that fits: it fails for the rest.
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes what others wrote into a file survive a power failure. */
export function flushFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a directory survive a power failure. */
export function flushDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Removes files that are of no more use. One that cannot be removed stays: its name says that it is unfinished, and the
 * failure that led here is the one to report.
 */
export function removeIfPossible(...paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true });
    } catch {
      // A disk that has become read-only.
    }
  }
}
