import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;
/** Holds the id of the process that the folder belongs to. */
const OWNER_FILE = "owner";

/** In memory where there is plenty: a disk takes milliseconds for each commit, and half a second for a new database of a server. */
function memoryOrDisk(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}

/** A new folder of this process, in memory where there is plenty. Those that killed processes left behind under the prefix are removed. */
export function newOwnedFolder(prefix: string): string {
  removeAbandoned(prefix);
  const folder = mkdtempSync(join(memoryOrDisk(), prefix));
  writeFileSync(join(folder, OWNER_FILE), String(process.pid));
  return folder;
}

/**
 * A new folder for a store whose suite needs no real disk: within the run's own folder, which is in memory where there is plenty and goes
 * with the run (global-setup.ts). Suites about full disks, flushes and lost files take their folders from the system instead.
 */
export const newStoreFolder = (prefix: string): Promise<string> =>
  mkdtemp(join(process.env.GATEHOUSE_TEST_FOLDER ?? tmpdir(), prefix));

function removeAbandoned(prefix: string): void {
  const abandoned = [tmpdir(), memoryOrDisk()].flatMap((folder) =>
    readdirSync(folder)
      .filter((entry) => entry.startsWith(prefix))
      .map((name) => join(folder, name)),
  );
  for (const directory of abandoned) {
    try {
      process.kill(Number(readFileSync(join(directory, OWNER_FILE), "utf8")), 0);
    } catch (error) {
      // EPERM is a living process of somebody else; no file is a folder that is just being made.
      if ((error as NodeJS.ErrnoException).code === "ESRCH") rmSync(directory, { recursive: true, force: true });
    }
  }
}
