import { readFile, rename, rm, writeFile } from "node:fs/promises";

/** Files of this process, to tell them from those of an ended process that had the same id. */
const own = new Set<string>();

/**
 * Makes a file that says that this process is at work. One that an ended process has left is replaced. The command line opens no
 * database, whose lock the system would end with the process.
 * @returns what removes it; `undefined` when another run has it.
 * @throws the system's error when it cannot be made.
 */
export async function lockForRun(path: string): Promise<(() => Promise<void>) | undefined> {
  if (own.has(path)) return undefined;
  own.add(path);
  let isMade = false;
  try {
    isMade = (await make(path)) || ((await removeLeftOver(path)) && (await make(path)));
  } finally {
    if (!isMade) own.delete(path);
  }
  if (!isMade) return undefined;
  return async () => {
    await rm(path, { force: true });
    own.delete(path);
  };
}

/** False when the path is taken. File systems without hard links can do it too. */
async function make(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Moved away before it is removed, so that of two that take over at once, neither removes the other's new file. False when its process is
 * there, or when it has no number: it is just being made.
 */
async function removeLeftOver(path: string): Promise<boolean> {
  const owner = await ownerOf(path);
  if (owner === undefined || isAtWork(owner)) return false;
  const away = `${path}.${process.pid}.old`;
  try {
    await rename(path, away);
  } catch (error) {
    // Another run has moved it away.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const isLeftOver = (await ownerOf(away)) === owner;
  await (isLeftOver ? rm(away, { force: true }) : rename(away, path));
  return isLeftOver;
}

/** The process id in the file; `undefined` when the file is gone or has none. */
async function ownerOf(path: string): Promise<number | undefined> {
  const number = Number(await readFile(path, "utf8").catch(() => ""));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** One with our own id has ended: what this process has made is known. */
function isAtWork(owner: number): boolean {
  if (owner === process.pid) return false;
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
