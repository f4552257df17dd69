import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder, and those above it that are missing. Node's own way (`recursive: true`) tries without end where a
 * system says of a new folder that its parent is missing though it is there, as Linux does below /proc.
 * @throws the system's error; EEXIST where something else has the name.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(resolve(path));
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another listener may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** False also of what cannot be looked at. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
