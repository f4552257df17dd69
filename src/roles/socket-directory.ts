import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CannotStart } from "#runtime/basis/errors.ts";
import { isTaken, type Lock, lockFile } from "#runtime/database/sqlite/store-lock.ts";
import { takeDirectory } from "#runtime/rpc/socket-path.ts";

/** Another process needs some milliseconds for its sockets. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 25;

/**
 * Waits for the turn to make sockets in the directory. Of two processes that find the files of a dead one there at once,
 * the later one would remove the sockets of the other, which would go on without being reached.
 * @throws CannotStart when the directory cannot be used, or another process does not end its turn.
 */
export async function takeSocketDirectory(directory: string): Promise<Lock> {
  // None of a dead process is in a directory that is still to be made.
  if (!existsSync(directory)) return { release: () => undefined };
  await takeDirectory(directory);
  const path = join(directory, "sockets.lock");
  for (const lastAt = performance.now() + WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    try {
      return lockFile(path);
    } catch (error) {
      // What keeps the lock from being made keeps the sockets from it too, and they say why.
      if (!isTaken(error)) return { release: () => undefined };
      if (performance.now() > lastAt)
        throw new CannotStart(
          `Another Gatehouse is starting in ${directory}. Stop it, or set data-directory and socket-directory to others.`,
          { cause: error },
        );
    }
  }
}
