import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

/** What is looked at of the file's beginning and of its end, in bytes. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Names an import after its file, so that the same file is known again wherever it lies: a digest of size, time of the last change, first
 * and last MiB. A file that was edited is another one, even when only its middle was; what it has in common with the old one is then told
 * as unchanged.
 */
export async function importIdOf(file: FileHandle): Promise<string> {
  const { size, mtimeMs } = await file.stat();
  const digest = createHash("sha256").update(`${size} ${Math.floor(mtimeMs)} `);
  for (const position of [0, Math.max(0, size - SAMPLE_BYTES)]) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, position);
    digest.update(buffer.subarray(0, bytesRead));
  }
  return `file-${digest.digest("hex").slice(0, 32)}`;
}
