import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** Where the index of SQLite's log has the number of its last frame (https://sqlite.org/walformat.html). */
const LAST_FRAME_AT = 16;
const LOOK_EVERY_MS = 2;

/** The number of frames in the log, by its index, which is open as this file. */
export function lastFrame(index: number): number {
  const bytes = Buffer.alloc(4);
  readSync(index, bytes, 0, 4, LAST_FRAME_AT);
  return bytes.readUInt32LE();
}

/**
 * Counts the pages that an embedded store writes into its log, from outside of its process. A log that begins again
 * between two looks hides what was appended in between: a few pages of a thousand.
 */
export function countPages(directory: string): { stop(): number } {
  const file = openSync(join(directory, "gatehouse.sqlite-shm"), "r");
  let last = lastFrame(file);
  let count = 0;
  const look = (): void => {
    const frame = lastFrame(file);
    count += frame >= last ? frame - last : frame;
    last = frame;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(looking);
      look();
      closeSync(file);
      return count;
    },
  };
}
