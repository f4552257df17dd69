import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { CommandError } from "../command-error.ts";
import { type KeyPair, keyPairOf, parsePrivateKey } from "../key-pair.ts";
import { parsePrivate, readPrivateFile } from "../private-input.ts";

/**
 * The key pair of a file with a private key (`whsk_…`).
 * @throws CommandError when the file cannot be read, or has something else in it.
 */
export async function readKeyPairFile(path: string): Promise<KeyPair> {
  const text = await readPrivateFile(path, "--key-pair-file");
  return parsePrivate(
    parsePrivateKey,
    text.trim(),
    "--key-pair-file takes a file that conform --new-key-pair made; a secret goes into --secret-file.",
  );
}

/**
 * Makes a key pair, and writes its private key into a new file that its owner alone can read.
 * @throws CommandError when the file exists or cannot be written.
 */
export async function makeKeyPairFile(path: string): Promise<KeyPair> {
  const keyPair = keyPairOf(randomBytes(32));
  try {
    await writeFile(path, `${keyPair.privateText}\n`, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // On a full disk the file is made and stays empty; the next try would find it there.
    if (code === "ENOSPC" || code === "EIO") await rm(path, { force: true });
    throw new CommandError(`${path} cannot be written: ${code === "EEXIST" ? "it exists already" : code}.`, {
      cause,
      fix: "Name a file that does not exist yet, in a directory that you may write to.",
    });
  }
  return keyPair;
}
