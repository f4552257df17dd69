import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { basename } from "node:path";

/** Bytes that are read at once. */
const PIECE = 1024 * 1024;

/** Where the digest of a backup is, in the form of the program `sha256sum` (R-X347). */
export const digestPathOf = (backup: string): string => `${backup}.sha256`;

export const digestText = (backup: string, sha256: string): string => `${sha256}  ${basename(backup)}\n`;

/** SHA-256 of a file's bytes, in hexadecimal digits. */
export function fileDigestOf(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE);
  const file = openSync(path, "r");
  try {
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
      hash.update(piece.subarray(0, length));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/** The digest that is beside a backup; `undefined` without one, `"unreadable"` when the file has none in it. */
export function digestBeside(backup: string): string | undefined {
  const path = digestPathOf(backup);
  if (!existsSync(path)) return undefined;
  return /^\\?([0-9a-f]{64})\b/i.exec(readFileSync(path, "latin1"))?.[1]?.toLowerCase() ?? "unreadable";
}
