import { existsSync, linkSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { cureOfFile, makeDirectory } from "../basis/directories.ts";
import { createFlushed, flushDirectory, removeIfPossible } from "../basis/durable-file.ts";
import { CannotStart } from "../basis/errors.ts";
import type { Random } from "../basis/random.ts";
import { shellWord } from "../basis/terminal-lines.ts";

const KEY_BYTES = 32;

const toKeys = (text: string): readonly Buffer[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== "")
    .map((part) => Buffer.from(part, "base64"));

/** True for one or more keys of the right length. */
export function isMasterKeyList(text: string): boolean {
  const keys = toKeys(text);
  return keys.length > 0 && keys.every((key) => key.length === KEY_BYTES);
}

/**
 * The master keys of a setting or file: base64 of 32 bytes each, separated by commas or white space; the first seals (R-D6).
 * @param cure ends the sentence about a malformed key.
 * @throws CannotStart naming the source of a malformed key.
 */
export function parseMasterKeys(text: string, source = "master-keys", cure = MAKE_ONE): readonly Buffer[] {
  if (!isMasterKeyList(text)) {
    throw new CannotStart(`${source} must hold base64 of 32 bytes each, separated by commas${cure}`, { exitCode: 78 });
  }
  return toKeys(text);
}

const MAKE_ONE = ". Make one with: openssl rand -base64 32";

export interface MasterKeyNeed {
  readonly mayMake: boolean;
  /** Called when one was made, with the path of its file. */
  readonly made?: (path: string) => void;
  readonly sealed?: keyof typeof MISSING;
}

const MISSING = {
  store: "and the store beside it is sealed with it. Put the file back from a backup",
  backup: "and the backup is sealed with it. Put the copy there that was kept apart from the backup",
} as const;

/**
 * The master key of the embedded default: a file of mode 0600, made at the first start and flushed before anything is sealed with it.
 * If the file is lost, every signing key and signing secret in the store is lost.
 * @param mayMake false where a new key could not open the values that there are.
 * @param sealed what has those values.
 * @throws CannotStart when the file can be read by others, cannot be read or made, or is missing and may not be made.
 */
export function masterKeyFile(
  path: string,
  random: Random,
  { mayMake, made, sealed = "store" }: MasterKeyNeed,
): readonly Buffer[] {
  try {
    makeDirectory(dirname(path), 0o700);
    if (!existsSync(path)) {
      if (!mayMake) throw keyMissing(path, sealed);
      makeKeyFile(path, random);
      made?.(path);
    }
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new CannotStart(`The master key ${path} can be read by others. Run: chmod 600 ${shellWord(path)}`, {
        exitCode: 78,
      });
    }
    return parseMasterKeys(readFileSync(path, "utf8"), `The master key ${path}`, mayMake ? MAKE_ONE : putBack(sealed));
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const cure = cureOfFile(dirname(path), code, "Make the directory writable or set data-directory.");
    throw new CannotStart(`The master key ${path} cannot be read or made (${code}). ${cure}`, { cause });
  }
}

const keyMissing = (path: string, sealed: keyof typeof MISSING): CannotStart =>
  new CannotStart(`The master key ${path} is missing${putBack(sealed)}`, { exitCode: 78 });

const putBack = (sealed: keyof typeof MISSING): string => `, ${MISSING[sealed]}, or give the key by master-keys.`;

/**
 * Written under another name and then linked, which fails when the file exists: half a key is never visible, and of two
 * starting processes one wins.
 */
function makeKeyFile(path: string, random: Random): void {
  const draft = `${path}.${random.bytes(8).toString("hex")}`;
  try {
    createFlushed(draft, `${random.bytes(KEY_BYTES).toString("base64")}\n`);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    removeIfPossible(draft);
  }
  flushDirectory(dirname(path));
}
