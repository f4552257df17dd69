import { link, readFile, rm, writeFile } from "node:fs/promises";

/** How many locks this process has asked for: each begins as a file of its own. */
let asked = 0;

/**
 * Makes a file that says that this process is at work. One that an ended process has left is replaced. The command line opens no
 * database, whose lock the system would end with the process.
 * @returns what removes it; `undefined` when another run has it.
 * @throws the system's error when it cannot be made.
 */
export async function lockForRun(path: string): Promise<(() => Promise<void>) | undefined> {
  const own = `${path}.${process.pid}.${++asked}`;
  await writeFile(own, `${process.pid}\n`, { mode: 0o600 });
  try {
    // Whole at once: nobody reads one without its number.
    if (!(await linked(own, path)) && ((await isAtWork(path)) || !(await replaced(own, path)))) return undefined;
    return () => rm(path, { force: true });
  } finally {
    await rm(own, { force: true });
  }
}

/** False when the path is taken. */
async function linked(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function replaced(file: string, path: string): Promise<boolean> {
  await rm(path, { force: true });
  return linked(file, path);
}

/** Whether the process that a lock names is there; false too when the lock has gone meanwhile. */
async function isAtWork(path: string): Promise<boolean> {
  const number = Number(await readFile(path, "utf8").catch(() => ""));
  if (!Number.isSafeInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
