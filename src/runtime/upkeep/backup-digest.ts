import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import { CannotStart } from "../basis/errors.ts";

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

/**
 * The digest that is beside a backup, or beside what it links to; `undefined` without one.
 * @throws CannotStart when there is one that says nothing.
 */
export function digestBeside(backup: string): string | undefined {
  const path = [backup, realpathSync(backup)].map(digestPathOf).find((one) => existsSync(one));
  if (path === undefined) return undefined;
  const digest = /^\\?([0-9a-f]{64})\b/i.exec(readIfFile(path))?.[1];
  if (digest === undefined)
    throw new CannotStart(
      `${backup} was not restored: ${path} has no SHA-256 in it. Put the digest of the backup there, or remove the file to have its structure checked alone. Nothing was changed.`,
    );
  return digest.toLowerCase();
}

/** Empty for what is no file or cannot be read. */
function readIfFile(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "latin1") : "";
  } catch {
    return "";
  }
}
